import type { CallOptions } from '../options.ts'
import type { AnswerRunBody } from '../shapes.generated.ts'
import type { FlowAnswers } from './answer.ts'
import { FlowError } from './flow-error.ts'
import { type Profile, readGiven } from './given-answers.ts'
import { openAnswers, type RunReader, valuesOf } from './open-answers.ts'
import { currentNode, pinnedDefinition } from './pinned-definition.ts'
import { type PreparedStep, prepareStep } from './prepare-step.ts'
import type { PrivateCopies } from './private-copies.ts'
import { awaitedParty, type FlowRun } from './run.ts'
import { answerItems, type Recipient, sealAnswers, type StoreFile } from './seal-answers.ts'

/** The party that takes a turn. */
export interface TurnTaker extends RunReader {
  readonly profile: Profile | null
  readonly now: number
  readonly privates: PrivateCopies
}

/** The side of the run that a turn is sent through. */
export interface TurnSending {
  readonly recipients: () => Promise<readonly Recipient[]>
  readonly storeFile: StoreFile
  readonly submit: (body: AnswerRunBody) => Promise<FlowRun>
  /** Called before anything is sent. */
  readonly beforeSending?: (prepared: PreparedStep) => Promise<void>
}

/**
 * Opens the earlier answers and evaluates the current step with these. Refuses a step of another party. `drafted`: values
 * of steps that are filled in and not sent yet.
 */
export async function evaluateStep(
  run: FlowRun,
  answers: FlowAnswers,
  taker: TurnTaker,
  drafted: ReadonlyMap<string, string> = new Map(),
): Promise<PreparedStep> {
  const definition = pinnedDefinition(run)
  const subject = `run ${run.id}`
  const awaited = awaitedParty(run, taker.userId)
  if (awaited === null) throw new FlowError('not_awaiting', subject)
  const node = currentNode(definition, run)
  if (!awaited.isOwn || run.bindings[node.party] !== taker.userId) throw new FlowError('not_your_turn', subject)
  const earlier = new Map([...valuesOf(await openAnswers(run, taker)), ...drafted])
  const given = await readGiven(answers, node, taker.types, taker.profile)
  const { types, userId, now } = taker
  const privates = await privateSlugs(run, taker)
  return prepareStep({ run, definition, node, userId, types, now, earlier, given, privates })
}

/** Of answers whose own copy this side has sealed as private. */
async function privateSlugs(run: FlowRun, { userId, privates }: TurnTaker): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const { slug, for_user_id: reader, value } of run.answers)
    if (reader === userId && (await privates.has(value))) found.add(slug)
  return found
}

/** Validates and seals all answers, uploads files, and submits the turn with the next step. */
export async function takeTurn(
  run: FlowRun,
  answers: FlowAnswers,
  taker: TurnTaker,
  sending: TurnSending,
): Promise<FlowRun> {
  const prepared = await evaluateStep(run, answers, taker)
  const { problems, choice, drafts } = prepared
  const subject = `run ${run.id}, step ${run.current_node}`
  if (problems.length > 0) throw new FlowError('answers_invalid', subject, problems)
  if (choice.kind === 'stuck') throw new FlowError('no_next_step', subject)
  const sealed = await sealAnswers(drafts, await sending.recipients())
  const ownPrivate = sealed.flatMap(({ isPrivate, copies }) => (isPrivate ? copies : []))
  for (const { userId, wrapper } of ownPrivate) if (userId === taker.userId) await taker.privates.remember(wrapper)
  await sending.beforeSending?.(prepared)
  const items = await answerItems(sealed, sending.storeFile)
  const advance = choice.kind === 'leaf' ? { leaf: true } : { next_node: choice.node }
  return sending.submit({ answers: items, ...advance })
}

/** An Idempotency-Key of the caller is for one call: the others of the same act have keys of their own. */
export function withoutKey({ signal }: CallOptions): CallOptions {
  return signal === undefined ? {} : { signal }
}
