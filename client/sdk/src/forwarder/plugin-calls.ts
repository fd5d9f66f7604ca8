import { generateKeyPair, importOpeningKey, openWrapper } from '@sealpost/crypto'
import { type Filled, PLUGIN_LIMITS, writeQuestion } from '@sealpost/plugin'
import { isSealpostError } from '../errors.ts'
import { hostPlatform } from '../keys/host.ts'
import { PublicKey } from '../keys/public-key.ts'
import { SealingError } from '../keys/sealing-error.ts'
import type { CallOptions } from '../options.ts'
import type { Wire } from '../wire.ts'
import { PluginError } from './plugin-error.ts'
import type { PluginPass, PluginSpec, ReadPass } from './plugin-pass.ts'
import { postToForwarder } from './post-to-forwarder.ts'

export type Asked =
  | { readonly op: 'options'; readonly block: string; readonly query: string }
  | { readonly op: 'outputs' }

/** The recoveries that one call has left. */
interface Chances {
  reseal: boolean
  renew: boolean
}

/** Calls of the plugins of one step. The forwarder carries them and reads none of them. */
export class PluginCalls {
  readonly #wire: Wire
  readonly #readPass: ReadPass
  #pass: PluginPass
  /** Newer keys than those of the pass, by plugin. */
  readonly #keys = new Map<string, string>()

  private constructor(wire: Wire, readPass: ReadPass, pass: PluginPass) {
    this.#wire = wire
    this.#readPass = readPass
    this.#pass = pass
  }

  static async open(wire: Wire, readPass: ReadPass, options: CallOptions): Promise<PluginCalls> {
    return new PluginCalls(wire, readPass, await readPass(signalOf(options)))
  }

  spec(slug: string): PluginSpec {
    const { specs } = this.#pass
    const spec = Object.hasOwn(specs, slug) ? specs[slug] : undefined
    if (spec === undefined) throw new PluginError('not_a_plugin_field', slug)
    return spec
  }

  isResponding(pluginId: string): boolean {
    return this.#keyOf(pluginId) !== null
  }

  /** The opened reply. Repeats once with a new key of the plugin, and once with a new pass. */
  async ask(spec: PluginSpec, asked: Asked, filled: Filled, options: CallOptions): Promise<string> {
    const chances: Chances = { reseal: true, renew: true }
    for (;;) {
      const key = this.#keyOf(spec.plugin_id)
      if (key === null) throw new PluginError('not_responding', spec.snapshot.plugin_name)
      try {
        return await this.#askOnce(spec, key, asked, filled, options)
      } catch (error) {
        await this.#recover(spec, chances, error, options)
      }
    }
  }

  async #askOnce(spec: PluginSpec, key: string, asked: Asked, filled: Filled, options: CallOptions): Promise<string> {
    const platform = hostPlatform()
    // A reply key for this call alone: no later leak of a key opens the reply.
    const { publicKey, privateKey } = await generateKeyPair(platform)
    const opening = await importOpeningKey(platform, privateKey)
    if (!opening.ok) throw new SealingError(opening.refusal)
    const question = writeQuestion(asked, spec.field_type, filled, publicKey)
    const request = await (await PublicKey.import(key)).seal(question)
    if (request.length > PLUGIN_LIMITS.sealedBytes) throw new PluginError('question_too_large', spec.snapshot.label)
    const reply = await this.#post(spec.plugin_id, request, options)
    const opened = await openWrapper(platform, opening.value, reply)
    if (opened.ok) return opened.value
    throw new PluginError('reply_invalid', `${spec.snapshot.plugin_name}, ${opened.refusal}`)
  }

  async #post(pluginId: string, request: string, { signal }: CallOptions): Promise<string> {
    const members = { plugin_id: pluginId, request }
    const reply = await postToForwarder(this.#wire, this.#pass, '/call', members, 'reply', signal)
    if (typeof reply === 'string') return reply
    throw new PluginError('reply_invalid', 'the forwarder')
  }

  /** Returns when the question may be asked once more, otherwise throws the error. */
  async #recover(spec: PluginSpec, chances: Chances, error: unknown, options: CallOptions): Promise<void> {
    if (chances.reseal && isSealpostError(error, 'plugin.key_changed')) {
      chances.reseal = false
      this.#keys.set(spec.plugin_id, error.details.public_key)
    } else if (chances.renew && isSealpostError(error) && (error.status === 401 || error.status === 403)) {
      chances.renew = false
      this.#pass = await this.#readPass(signalOf(options))
    } else {
      throw error
    }
  }

  #keyOf(pluginId: string): string | null {
    return this.#keys.get(pluginId) ?? this.#pass.plugins.find(({ id }) => id === pluginId)?.public_key ?? null
  }
}

function signalOf({ signal }: CallOptions): CallOptions {
  return signal === undefined ? {} : { signal }
}
