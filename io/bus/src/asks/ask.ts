import { refuse } from '@sealpost/protocol'
import type { BusContext } from '../context.ts'
import type { Ask, AskContract } from '../contracts.ts'
import { refuseLargeBody } from '../outbox/tell.ts'
import { carrierOfAsk, type Party } from '../parties.ts'
import { askSubject } from '../subjects.ts'
import { decodeOutcome, errorOf, type AskRequest } from './wire.ts'

export const DEFAULT_ASK_TIMEOUT_MS = 3000
/**
 * A region whose last process is being replaced has no responders for a moment, a fifth of the usual wait; one that is
 * down has none for longer.
 */
const BLIP_SHARE = 0.2
const BLIP_PAUSE_MS = 100

/** Asks and waits for the answer. A refusal of the asked party is rethrown here. */
export async function sendAsk<Body, Reply>(
  context: BusContext,
  contract: AskContract<Body, Reply>,
  ask: Ask<Body>,
): Promise<Reply> {
  if (!context.peers.includes(ask.to)) throw new Error(`${context.self} has no link to a party called ${ask.to}`)
  const request: AskRequest = {
    command: contract.command,
    id: ask.id ?? context.ids.uuid(),
    body: ask.body,
    traceparent: context.telemetry.currentTraceparent(),
  }
  const text = JSON.stringify(request)
  refuseLargeBody(`the ask ${contract.command}`, text)
  const timeoutMs = ask.timeoutMs ?? contract.timeoutMs ?? context.askTimeoutMs
  const attributes = { operation: contract.command, 'region.peer': ask.to }
  const answer = await context.telemetry.span('bus ask', attributes, () =>
    requestInTime(context, ask.to, new TextEncoder().encode(text), timeoutMs),
  )
  if (answer === null) throw refuse('region.unreachable')
  const outcome = decodeOutcome(answer)
  if (!outcome.ok) throw errorOf(outcome.refusal)
  return contract.parseReply(outcome.reply)
}

/**
 * Null when no answer comes in time. Missing responders are reported at once, so that case is retried; a slow answer is
 * awaited.
 */
async function requestInTime(
  context: BusContext,
  to: Party,
  payload: Uint8Array,
  timeoutMs: number,
): Promise<Uint8Array | null> {
  const carrier = context.carrierAt(carrierOfAsk(context.self, to))
  const endMs = performance.now() + timeoutMs
  const blipMs = context.askTimeoutMs * BLIP_SHARE
  let blipEndMs = Math.min(endMs, performance.now() + blipMs)
  while (await carrier.connected(blipEndMs - performance.now())) {
    const answer = await carrier.request(askSubject(to, context.self), payload, Math.max(1, endMs - performance.now()))
    if (typeof answer !== 'string') return answer
    if (answer === 'timeout') return null
    // Repeated with the same id: a stored outcome is found, a read has no effect.
    if (answer === 'connection lost') blipEndMs = Math.min(endMs, performance.now() + blipMs)
    if (performance.now() + BLIP_PAUSE_MS > blipEndMs) return null
    await new Promise((resolve) => setTimeout(resolve, BLIP_PAUSE_MS))
  }
  return null
}
