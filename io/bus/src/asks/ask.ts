import { refuse } from '@sealpost/protocol'
import type { BusContext } from '../context.ts'
import type { Ask, AskContract } from '../contracts.ts'
import { refuseLargeBody } from '../outbox/tell.ts'
import { carrierOfAsk, type Party } from '../parties.ts'
import { subjectOf } from '../subjects.ts'
import { decodeOutcome, errorOf, otherRelease, type AskRequest } from './wire.ts'

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
  const timeoutMs = ask.timeoutMs ?? contract.timeoutMs ?? context.askTimeoutMs
  const request: AskRequest = {
    command: contract.command,
    id: ask.id ?? context.ids.uuid(),
    body: ask.body,
    traceparent: context.telemetry.currentTraceparent(),
    sent: { process: processRun(context), atMs: Math.round(performance.now()), waitsMs: timeoutMs },
  }
  const text = JSON.stringify(request)
  refuseLargeBody(`the ask ${contract.command}`, text)
  const attributes = { operation: contract.command, 'region.peer': ask.to }
  const answer = await context.telemetry.span('bus ask', attributes, () =>
    requestInTime(context, ask.to, new TextEncoder().encode(text), timeoutMs),
  )
  if (answer === null) throw refuse('region.unreachable')
  const outcome = decodeOutcome(answer)
  if (!outcome.ok) throw errorOf(outcome.refusal)
  return parseReply(context, contract, ask.to, outcome.reply)
}

/** A restarted process has the same name and another clock. */
function processRun({ process }: BusContext): string {
  return `${process} ${performance.timeOrigin}`
}

function parseReply<Reply>(
  { telemetry }: BusContext,
  { command, parseReply: parse }: Pick<AskContract<unknown, Reply>, 'command' | 'parseReply'>,
  from: Party,
  reply: unknown,
): Reply {
  try {
    return parse(reply)
  } catch {
    // The parser's message may quote the answer, which may hold credentials.
    telemetry.log.error({ command, from }, 'the answer to an ask does not have the expected shape')
    throw otherRelease()
  }
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
  const link = { source: context.self, target: to }
  const carrier = context.carrierAt(carrierOfAsk(link))
  const endMs = performance.now() + timeoutMs
  const blipMs = context.askTimeoutMs * BLIP_SHARE
  let blipEndMs = Math.min(endMs, performance.now() + blipMs)
  while (await carrier.connected(blipEndMs - performance.now())) {
    const answer = await carrier.request(subjectOf('ask', link), payload, Math.max(1, endMs - performance.now()))
    if (typeof answer !== 'string') return answer
    if (answer === 'timeout') return null
    // Repeated with the same id: a stored outcome is found, a read has no effect.
    if (answer === 'connection lost') blipEndMs = Math.min(endMs, performance.now() + blipMs)
    if (performance.now() + BLIP_PAUSE_MS > blipEndMs) return null
    await new Promise((resolve) => setTimeout(resolve, BLIP_PAUSE_MS))
  }
  return null
}
