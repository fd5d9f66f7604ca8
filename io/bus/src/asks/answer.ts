import { EngineError, instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { ApiError, refusalOfEngine, refuse } from '@sealpost/protocol'
import type { BusContext } from '../context.ts'
import type { Asked, AskContract, ReadAskHandler, StoredAskHandler } from '../contracts.ts'
import { inlineBytes, isLarge, linkTo, readLinked, requireSendable, storeBody } from '../large-bodies.ts'
import { FORWARDER, type Party } from '../parties.ts'
import { type AskName, claimAsk, markEffects, readOutcome, storeOutcome, undoEffects } from '../store/asks.ts'
import { encodeJson } from '../wire.ts'
import type { AskAges } from './age.ts'
import { type AskOutcome, type AskRequest, decodeRequest, otherRelease, parseOutcome, refusalOf } from './wire.ts'

/** Answers one command; made by `registerRead` or `registerStored`, so that all bodies fit in one table. */
type Answer = (context: BusContext, from: Party, request: AskRequest) => Promise<AskOutcome>
export type AskHandlers = Map<string, { readonly isOfForwarder: boolean; readonly answer: Answer }>

export interface Answering {
  readonly asks: AskHandlers
  readonly ages: AskAges
}

const OUTCOME_KEPT_MS = 10 * 60_000

export function registerRead<Body, Reply>(
  handlers: AskHandlers,
  contract: AskContract<Body, Reply>,
  handle: ReadAskHandler<Body, Reply>,
): void {
  register(handlers, contract, async (context, from, request) => {
    const reply = await handle(parseAsk(context, contract, from, request))
    return { ok: true, reply }
  })
}

export function registerStored<Body, Reply>(
  handlers: AskHandlers,
  contract: AskContract<Body, Reply>,
  handle: StoredAskHandler<Body, Reply>,
): void {
  register(handlers, contract, async (context, from, request) => {
    if (contract.worksWhilePaused !== true && (await context.switches.isPaused())) throw refuse('db.writes_paused')
    return runOnce(context, from, request, (tx) => handle(tx, parseAsk(context, contract, from, request)))
  })
}

/** Replies unless the asker has given up: a failing handler must not look like an unreachable region. */
export async function answerAsk(
  context: BusContext,
  { asks, ages }: Answering,
  from: Party,
  payload: Uint8Array,
): Promise<Uint8Array | null> {
  const arrivedMs = performance.now()
  let command = 'unknown'
  try {
    const request = decodeRequest(payload)
    command = request.command
    if (request.sent !== undefined && ages.isTooOld(request.sent, arrivedMs)) {
      context.telemetry.log.warn({ command, from }, 'an ask arrived after its asker had given up; it is not answered')
      return null
    }
    if (await context.switches.isOutOfOrder()) throw refuse('platform.out_of_order')
    const answer = findAnswer(context, asks, from, command)
    const attributes = { operation: command, 'region.peer': from }
    const run = async (): Promise<AskOutcome> => answer(context, from, await wholeRequest(context, request))
    const outcome = await context.telemetry.trace('bus answer', attributes, run, request.traceparent)
    return encodeJson(await sendableOutcome(context, from, command, outcome))
  } catch (error) {
    if (error instanceof ApiError) return encodeJson(refusalOf(error))
    if (error instanceof EngineError) {
      context.telemetry.log.warn({ command, from, error: nameAndMessage(error) }, `the ${error.engine} failed an ask`)
      return encodeJson(refusalOf(refusalOfEngine(error)))
    }
    context.telemetry.log.error({ command, error: nameAndMessage(error) }, 'an ask could not be answered')
    return encodeJson(refusalOf(refuse('platform.internal_error')))
  }
}

function findAnswer({ telemetry }: BusContext, asks: AskHandlers, from: Party, command: string): Answer {
  const found = asks.get(command)
  if (found === undefined) {
    telemetry.log.error({ command, from }, 'no handler for an ask: the asker runs another release')
    throw otherRelease()
  }
  if (found.isOfForwarder === (from === FORWARDER)) return found.answer
  telemetry.log.error({ command, from }, 'a party sent an ask that is not its own')
  throw otherRelease()
}

async function wholeRequest(context: BusContext, request: AskRequest): Promise<AskRequest> {
  if (request.largeBody === undefined) return request
  try {
    return { ...request, body: JSON.parse(await readLinked(context, request.largeBody)) }
  } catch (error) {
    const fields = { command: request.command, error: nameAndMessage(error) }
    context.telemetry.log.warn(fields, 'the large body of an ask cannot be read')
    throw refuse('region.unreachable')
  }
}

async function sendableOutcome(
  context: BusContext,
  from: Party,
  command: string,
  outcome: AskOutcome,
): Promise<AskOutcome> {
  if (!outcome.ok) return outcome
  const reply = JSON.stringify(outcome.reply)
  // A reply of nothing has no JSON.
  if (reply === undefined || !isLarge(reply, inlineBytes({ source: from }))) return outcome
  requireSendable(context, `the answer to ${command}`, reply)
  return { ok: true, reply: null, largeReply: await linkTo(context, await storeBody(context, reply)) }
}

/** Runs the effect at most once per ask id; the outcome is written with it, refusals too. */
async function runOnce(
  context: BusContext,
  from: Party,
  { id, command }: AskRequest,
  handle: (tx: Tx) => Promise<unknown>,
): Promise<AskOutcome> {
  const name: AskName = { source: from, id, command }
  return context.database.transaction(async (tx) => {
    const now = context.clock.now()
    if (!(await claimAsk(tx, name, instant(now + OUTCOME_KEPT_MS), now))) {
      const stored = await readOutcome(tx, name)
      if (stored === null) throw new Error(`the outcome of a ${command} is missing although its id is claimed`)
      return parseOutcome(stored)
    }
    await markEffects(tx)
    const outcome = await outcomeOf(handle(tx))
    if (!outcome.ok) await undoEffects(tx)
    await storeOutcome(tx, name, JSON.stringify(outcome))
    return outcome
  })
}

/** A transient refusal is not stored as an outcome: it rolls everything back and is sent to the asker. */
async function outcomeOf(running: Promise<unknown>): Promise<AskOutcome> {
  try {
    return { ok: true, reply: await running }
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) return refusalOf(error)
    throw error
  }
}

function register(
  handlers: AskHandlers,
  { command, askedBy }: Pick<AskContract<unknown, unknown>, 'command' | 'askedBy'>,
  answer: Answer,
): void {
  if (handlers.has(command)) throw new Error(`two handlers for the ask ${command}`)
  handlers.set(command, { isOfForwarder: askedBy === 'forwarder', answer })
}

/** A body of another shape comes from another release: it can be answered once both sides run the same one. */
function parseAsk<Body>(
  { telemetry }: BusContext,
  contract: AskContract<Body, unknown>,
  from: Party,
  { id, command, body }: AskRequest,
): Asked<Body> {
  try {
    return { from, id, body: contract.parse(body) }
  } catch {
    // The parser's message may quote the body, which may hold credentials.
    telemetry.log.error({ command, from }, 'the body of an ask does not have the expected shape')
    throw otherRelease()
  }
}

function nameAndMessage(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'something that is not an Error'
}
