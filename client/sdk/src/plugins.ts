import { isRecord } from './exchange.ts'
import { postToForwarder } from './forwarder/post-to-forwarder.ts'
import type { CallOptions } from './options.ts'
import { everyItem, pageQuery } from './pages.ts'
import {
  changePlugin,
  createPlugin,
  createRegistryPass,
  deletePlugin,
  enableBuiltinPlugin,
  listPlugins,
} from './routes.generated.ts'
import type { Send } from './send.ts'
import type {
  ChangePluginAnswer,
  CreatePluginAnswer,
  CreateRegistryPassAnswer,
  EnableBuiltinPluginAnswer,
  ListPluginsAnswer,
} from './shapes.generated.ts'
import type { Wire } from './wire.ts'

export type PluginRecord = ListPluginsAnswer['items'][number]
export type BuiltinPlugin = ListPluginsAnswer['builtin'][number]

export interface NewPlugin {
  /** https on port 443, with a public host. */
  readonly base_url: string
  /** Sent to the plugin as bearer token: 1 to 4096 visible ASCII characters. */
  readonly token?: string | null
}

/** The plugins of the company; portal logins only. */
export class Plugins {
  readonly #send: Send
  readonly #wire: Wire

  constructor(send: Send, wire: Wire) {
    this.#send = send
    this.#wire = wire
  }

  /** All plugins, oldest first, read page by page. */
  list(options?: CallOptions): AsyncGenerator<PluginRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listPlugins, { query: pageQuery(cursor) }, options))
  }

  /** The built-in plugins of the platform, and which of them are on. */
  async listBuiltins(options?: CallOptions): Promise<readonly BuiltinPlugin[]> {
    return (await this.#send(listPlugins, { query: { limit: '1' } }, options)).builtin
  }

  /** Its description is fetched by `refresh`. */
  create(plugin: NewPlugin, options?: CallOptions): Promise<CreatePluginAnswer> {
    return this.#send(createPlugin, { body: plugin }, options)
  }

  /** Deleting the plugin of the answer switches it off. */
  enableBuiltin(key: BuiltinPlugin['key'], options?: CallOptions): Promise<EnableBuiltinPluginAnswer> {
    return this.#send(enableBuiltinPlugin, { params: { key } }, options)
  }

  /** Null clears the token. */
  changeToken(pluginId: string, token: string | null, options?: CallOptions): Promise<ChangePluginAnswer> {
    return this.#send(changePlugin, { params: { id: pluginId }, body: { token } }, options)
  }

  /** A pass of 10 minutes for `POST {forwarder_url}/registry`, which fetches the description again. */
  createRegistryPass(pluginId: string, options?: CallOptions): Promise<CreateRegistryPassAnswer> {
    return this.#send(createRegistryPass, { params: { id: pluginId } }, options)
  }

  /** Has the forwarder fetch the description. `last_error` says why it was not stored; null when it was. */
  async refresh(pluginId: string, options: CallOptions = {}): Promise<{ readonly last_error: string | null }> {
    const pass = await this.createRegistryPass(pluginId, options)
    const members = { plugin_id: pluginId }
    const plugin = await postToForwarder(this.#wire, pass, '/registry', members, 'plugin', options.signal)
    const error = isRecord(plugin) ? plugin['last_error'] : null
    return { last_error: typeof error === 'string' ? error : null }
  }

  /** `plugins.in_use` while a flow, a run that goes on, a request field or a claim uses it. */
  delete(pluginId: string, options?: CallOptions): Promise<void> {
    return this.#send(deletePlugin, { params: { id: pluginId } }, options)
  }
}
