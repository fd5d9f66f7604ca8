import type { Tx } from '@sealpost/postgres'
import type { BusContext } from '../context.ts'
import type { Tell, TellContract } from '../contracts.ts'
import { requireSendable } from '../large-bodies.ts'
import { insertTell, insertTells } from '../store/outbox.ts'

/** Visible ASCII: two databases must sort keys alike. Ids of every kind fit. */
const KEY = /^[\x21-\x7e]{1,200}$/

/** Writes the tell in the caller's transaction: it is sent if and only if that commits. */
export async function writeTell<Body>(
  context: BusContext,
  tx: Tx,
  contract: TellContract<Body>,
  tell: Tell<Body>,
): Promise<void> {
  if (tell.attachment !== undefined && context.attachments === null)
    throw new Error(`a ${contract.kind} carries an attachment, but openBus was given no object store`)
  const attachment = tell.attachment ?? null
  const row = { ...sortOf(context, contract), ...rowOf(context, contract, tell), attachment }
  await insertTell(tx, row, context.clock.now())
}

/** Many in one statement, each of another lane. */
export async function writeTells<Body>(
  context: BusContext,
  tx: Tx,
  contract: TellContract<Body>,
  tells: readonly Omit<Tell<Body>, 'attachment'>[],
): Promise<void> {
  if (tells.length === 0) return
  const rows = tells.map((tell) => rowOf(context, contract, tell))
  await insertTells(tx, sortOf(context, contract), rows, context.clock.now())
}

function sortOf({ telemetry }: BusContext, { kind, version }: TellContract<unknown>) {
  return { kind, version, traceparent: telemetry.currentTraceparent() }
}

function rowOf<Body>(context: BusContext, { kind }: TellContract<Body>, tell: Omit<Tell<Body>, 'attachment'>) {
  if (!context.peers.includes(tell.to)) throw new Error(`${context.self} has no link to a party called ${tell.to}`)
  if (!KEY.test(tell.key)) throw new Error(`the key of a ${kind} must be 1 to 200 visible ASCII characters`)
  const body = JSON.stringify(tell.body)
  requireSendable(context, kind, body)
  return { target: tell.to, key: tell.key, id: context.ids.uuid(), body }
}
