import { refuse } from '@sealpost/protocol'
import type { Ask, AskContract } from '../contracts.ts'
import type { BusNeeds } from '../needs.ts'
import { refuseLargeBody } from '../outbox/tell.ts'
import { carrierOfAsk, type Party } from '../parties.ts'
import { askSubject } from '../subjects.ts'
import { decodeOutcome, errorOf, type AskRequest } from './wire.ts'

const DEFAULT_TIMEOUT_MS = 3000
/** A region whose last process is being replaced has no responders for a moment; a dead one has none for longer. */
const BLIP_MS = 600
const BLIP_PAUSE_MS = 100

/** Asks and waits for the answer. A refusal of the asked party is thrown here as it was thrown there. */
export async function sendAsk<Body, Reply>(
  needs: BusNeeds,
  contract: AskContract<Body, Reply>,
  ask: Ask<Body>,
): Promise<Reply> {
  if (!needs.peers.includes(ask.to)) throw new Error(`${needs.self} has no link to a party called ${ask.to}`)
  const request: AskRequest = {
    command: contract.command,
    id: ask.id ?? needs.ids.uuid(),
    body: ask.body,
    traceparent: needs.telemetry.currentTraceparent(),
  }
  const text = JSON.stringify(request)
  refuseLargeBody(`the ask ${contract.command}`, text)
  const timeoutMs = ask.timeoutMs ?? contract.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const attributes = { operation: contract.command, 'region.peer': ask.to }
  const answer = await needs.telemetry.span('bus ask', attributes, () =>
    requestInTime(needs, ask.to, new TextEncoder().encode(text), timeoutMs),
  )
  if (answer === null) throw refuse('region.unreachable')
  const outcome = decodeOutcome(answer)
  if (!outcome.ok) throw errorOf(outcome.refusal)
  return contract.parseReply(outcome.reply)
}

/** Null when nobody answers in time. Nobody there is known at once, so that is retried; a slow answer is waited for. */
async function requestInTime(
  needs: BusNeeds,
  to: Party,
  payload: Uint8Array,
  timeoutMs: number,
): Promise<Uint8Array | null> {
  const carrier = needs.carrierAt(carrierOfAsk(needs.self, to))
  const endMs = performance.now() + timeoutMs
  let blipEndMs = Math.min(endMs, performance.now() + BLIP_MS)
  while (await carrier.connected(blipEndMs - performance.now())) {
    const answer = await carrier.request(askSubject(to, needs.self), payload, Math.max(1, endMs - performance.now()))
    if (typeof answer !== 'string') return answer
    if (answer === 'timeout') return null
    // Asked again with the same id: a stored outcome is found, a read does no harm.
    if (answer === 'connection lost') blipEndMs = Math.min(endMs, performance.now() + BLIP_MS)
    if (performance.now() + BLIP_PAUSE_MS > blipEndMs) return null
    await new Promise((resolve) => setTimeout(resolve, BLIP_PAUSE_MS))
  }
  return null
}
