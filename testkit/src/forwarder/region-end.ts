import { connect } from '@nats-io/transport-node'
import { parseParty } from '@sealpost/bus'
import { loginWith } from '@sealpost/bus/credentials'
import { listPassKeysAsk, openPluginAsk, storeRefreshAsk } from '@sealpost/protocol'
import type { BusLogins } from '../engines/bus-logins.ts'

export interface StoredPlugin {
  readonly baseUrl: string
  readonly publicKey: string
}

interface Replies {
  readonly keys: readonly object[]
  /** Null for a plugin that does not exist. */
  readonly find: (pluginId: string) => StoredPlugin | null
}

interface Ask {
  readonly command: string
  readonly body: { readonly plugin_id: string }
}

/** Answers the asks of a forwarder on a real NATS; the own work of a region is not part of the figures. */
export async function answerAsks(natsUrl: string, logins: BusLogins, replies: Replies): Promise<() => Promise<void>> {
  const eu = parseParty('eu')
  const connection = await connect({ servers: natsUrl, authenticator: loginWith(logins.key(eu, eu)) })
  connection.subscribe('sealpost.ask.eu.forwarder', {
    callback(_error, message) {
      message.respond(JSON.stringify(answerOf(message.json<Ask>(), replies)))
    },
  })
  await connection.flush()
  return () => connection.close()
}

function answerOf({ command, body }: Ask, { keys, find }: Replies): object {
  if (command === listPassKeysAsk.command) return { ok: true, reply: { keys } }
  const found = find(body.plugin_id)
  if (found === null) return { ok: false, refusal: { key: 'plugin.not_found' } }
  if (command === storeRefreshAsk.command) return { ok: true, reply: { plugin: { id: body.plugin_id } } }
  if (command !== openPluginAsk.command) throw new Error(`no answer to ${command}`)
  const { baseUrl, publicKey } = found
  const plugin = { base_url: baseUrl, builtin_key: null, token: 'a-token-of-the-plugin', public_key: publicKey }
  return { ok: true, reply: plugin }
}
