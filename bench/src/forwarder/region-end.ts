import { connect } from '@nats-io/transport-node'
import { parseParty } from '@sealpost/bus'
import { loginWith } from '@sealpost/bus/credentials'
import { listPassKeysAsk, openPluginAsk } from '@sealpost/protocol'
import type { BusLogins, ScenarioContext } from '@sealpost/testkit'

interface Replies {
  readonly keys: readonly object[]
  readonly baseUrl: string
  readonly publicKey: string
}

/** Answers the asks of the forwarder on the real NATS; a region's own work is not part of the figure. */
export async function answerAsks(
  context: ScenarioContext,
  natsUrl: string,
  logins: BusLogins,
  { keys, baseUrl, publicKey }: Replies,
): Promise<void> {
  const eu = parseParty('eu')
  const connection = await connect({ servers: natsUrl, authenticator: loginWith(logins.key(eu, eu)) })
  context.onEnd(() => connection.close())
  const plugin = { base_url: baseUrl, builtin_key: null, token: 'a-token-of-the-plugin', public_key: publicKey }
  const replies: Readonly<Record<string, unknown>> = {
    [listPassKeysAsk.command]: { keys },
    [openPluginAsk.command]: plugin,
  }
  connection.subscribe('sealpost.ask.eu.forwarder', {
    callback(_error, message) {
      const { command } = message.json<{ command: string }>()
      message.respond(JSON.stringify({ ok: true, reply: replies[command] }))
    },
  })
  await connection.flush()
}
