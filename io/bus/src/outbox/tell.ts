import type { Tx } from '@sealpost/postgres'
import type { BusContext } from '../context.ts'
import type { Tell, TellContract } from '../contracts.ts'
import { requireSendable } from '../large-bodies.ts'
import { insertTell } from '../store/outbox.ts'

/** Visible ASCII: two databases must sort keys alike. Ids of every kind fit. */
const KEY = /^[\x21-\x7e]{1,200}$/

/** Writes the tell in the caller's transaction: it is sent if and only if that commits. */
export async function writeTell<Body>(
  context: BusContext,
  tx: Tx,
  contract: TellContract<Body>,
  tell: Tell<Body>,
): Promise<void> {
  if (!context.peers.includes(tell.to)) throw new Error(`${context.self} has no link to a party called ${tell.to}`)
  if (!KEY.test(tell.key)) throw new Error(`the key of a ${contract.kind} must be 1 to 200 visible ASCII characters`)
  if (tell.attachment !== undefined && context.attachments === null)
    throw new Error(`a ${contract.kind} carries an attachment, but openBus was given no object store`)
  const body = JSON.stringify(tell.body)
  requireSendable(context, contract.kind, body)
  await insertTell(
    tx,
    {
      target: tell.to,
      key: tell.key,
      id: context.ids.uuid(),
      kind: contract.kind,
      version: contract.version,
      body,
      attachment: tell.attachment ?? null,
      traceparent: context.telemetry.currentTraceparent(),
    },
    context.clock.now(),
  )
}
