import { refuse } from '@sealpost/protocol'
import type { AskingContext } from '../context.ts'
import type { Ask, AskContract } from '../contracts.ts'
import {
  inlineBytes,
  isLarge,
  linkTo,
  readLinked,
  requireSendable,
  storeBody,
  type StoredBody,
} from '../large-bodies.ts'
import { carrierOfAsk, type Party } from '../parties.ts'
import { subjectOf } from '../subjects.ts'
import { encodeJson } from '../wire.ts'
import { type AskOutcome, type AskRequest, decodeOutcome, errorOf, otherRelease } from './wire.ts'

export const DEFAULT_ASK_TIMEOUT_MS = 3000
/** The other party reads a large body before it answers. */
const LARGE_ASK_TIMEOUT_MS = 30_000
/**
 * A region whose last process is being replaced has no responders for a moment, a fifth of the usual wait; one that is
 * down has none for longer.
 */
const BLIP_SHARE = 0.2
const BLIP_PAUSE_MS = 100

/** Asks and waits for the answer. A refusal of the asked party is rethrown here. */
export async function sendAsk<Body, Reply>(
  context: AskingContext,
  contract: AskContract<Body, Reply>,
  ask: Ask<Body>,
): Promise<Reply> {
  if (!context.peers.includes(ask.to)) throw new Error(`${context.self} has no link to a party called ${ask.to}`)
  const body = JSON.stringify(ask.body)
  const limitBytes = inlineBytes({ source: context.self })
  requireSendable(context, `the ask ${contract.command}`, body, limitBytes)
  const stored = isLarge(body, limitBytes) ? await storeBody(context, body) : null
  try {
    return await sendRequest(context, contract, ask, stored)
  } finally {
    if (stored !== null) void context.attachments?.remove(stored.objectKey).catch(() => {})
  }
}

async function sendRequest<Body, Reply>(
  context: AskingContext,
  contract: AskContract<Body, Reply>,
  ask: Ask<Body>,
  stored: StoredBody | null,
): Promise<Reply> {
  const waitsMs = ask.timeoutMs ?? contract.timeoutMs ?? context.askTimeoutMs
  const timeoutMs = stored === null ? waitsMs : Math.max(waitsMs, LARGE_ASK_TIMEOUT_MS)
  const request: AskRequest = {
    command: contract.command,
    id: ask.id ?? context.ids.uuid(),
    ...(stored === null ? { body: ask.body } : { body: null, largeBody: await linkTo(context, stored) }),
    traceparent: context.telemetry.currentTraceparent(),
    sent: { process: processRun(context), atMs: Math.round(performance.now()), waitsMs: timeoutMs },
  }
  const attributes = { operation: contract.command, 'region.peer': ask.to }
  const answer = await context.telemetry.span('bus ask', attributes, () =>
    requestInTime(context, ask.to, encodeJson(request), timeoutMs),
  )
  if (answer === null) throw refuse('region.unreachable')
  const outcome = decodeOutcome(answer)
  if (!outcome.ok) throw errorOf(outcome.refusal)
  return parseReply(context, contract, ask.to, await replyOf(context, outcome))
}

async function replyOf(
  context: AskingContext,
  { reply, largeReply }: Extract<AskOutcome, { readonly ok: true }>,
): Promise<unknown> {
  if (largeReply === undefined) return reply
  return JSON.parse(await readLinked(context, largeReply))
}

/** A restarted process has the same name and another clock. */
function processRun({ process }: AskingContext): string {
  return `${process} ${performance.timeOrigin}`
}

function parseReply<Reply>(
  { telemetry }: AskingContext,
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
  context: AskingContext,
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
