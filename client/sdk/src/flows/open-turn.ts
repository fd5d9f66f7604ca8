import type { FlowNode } from '@sealpost/flow/run'
import { followInputs, openPluginField, settleFields } from '../forwarder/flow-plugin-field.ts'
import type { PluginField } from '../forwarder/plugin-field.ts'
import type { ReadPass } from '../forwarder/plugin-pass.ts'
import type { PluginTrust } from '../forwarder/plugin-trust.ts'
import type { CallOptions } from '../options.ts'
import type { Wire } from '../wire.ts'
import type { FlowAnswers } from './answer.ts'
import { describeStep } from './describe-step.ts'
import { FlowError } from './flow-error.ts'
import type { FlowTurn, TurnAnswers } from './flow-turn.ts'
import { FILE_VALUE } from './open-answers.ts'
import type { TagTexts } from './open-tags.ts'
import type { PreparedStep } from './prepare-step.ts'
import { awaitedParty, type FlowRun } from './run.ts'
import type { FlowStep } from './step.ts'
import { evaluateStep, takeTurn, type TurnSending, type TurnTaker } from './take-turn.ts'

/** The side of the run that a turn is filled in on. */
export interface TurnPlace {
  readonly wire: Wire
  readonly readPass: ReadPass
  readonly trust: Omit<PluginTrust, 'company'>
  /** Opens every wrapper and reads every field once, for as long as the turn is filled in. */
  readonly held: TurnTaker
  readonly tags: TagTexts
  /** For sending: reads everything again. */
  readonly taker: () => Promise<TurnTaker>
  readonly readAgain: () => Promise<FlowRun>
  readonly sendingOf: (run: FlowRun) => TurnSending
}

export class OpenTurn implements FlowTurn {
  readonly run: FlowRun
  readonly #place: TurnPlace

  constructor(run: FlowRun, place: TurnPlace) {
    this.run = run
    this.#place = place
  }

  async steps(answers: TurnAnswers = {}): Promise<readonly FlowStep[]> {
    const way = await evaluateTurn(this.run, answers, this.#place.held)
    return way.map((prepared) => describeStep(prepared, this.#place.tags))
  }

  async plugin(slug: string, answers: TurnAnswers = {}, options: CallOptions = {}): Promise<PluginField> {
    const { wire, readPass, trust, held: taker } = this.#place
    return openPluginField({ run: this.run, taker, wire, readPass, trust }, slug, answersOf(answers, this.run), options)
  }

  async send(answers: TurnAnswers, options: CallOptions = {}): Promise<FlowRun> {
    const settled = await this.#settle(answers, options)
    const way = await evaluateTurn(this.run, settled, this.#place.held)
    requireComplete(this.run, way)
    const { taker, readAgain, sendingOf } = this.#place
    let run = await readAgain()
    requireSame(this.run, run)
    const first = way.findIndex(({ turn }) => isAwaited(run, turn.node, this.#place.held.userId))
    if (first === -1) throw new FlowError('answered_already', `run ${run.id}`)
    const sending = await taker()
    for (const { turn } of way.slice(first)) {
      if (!isAwaited(run, turn.node, sending.userId)) throw new FlowError('run_changed', `run ${run.id}`)
      run = await takeTurn(run, settled[turn.node.key] ?? {}, sending, sendingOf(run))
      requireSame(this.run, run)
    }
    return run
  }

  async #settle(answers: TurnAnswers, options: CallOptions): Promise<TurnAnswers> {
    const { run } = this
    const settled = await settleFields(run, answersOf(answers, run), this.#place.held, options)
    return { ...answers, [run.current_node]: settled }
  }
}

async function evaluateTurn(
  run: FlowRun,
  answers: TurnAnswers,
  taker: TurnTaker,
): Promise<readonly [PreparedStep, ...PreparedStep[]]> {
  const first = await evaluateStep(run, await followInputs(run, answersOf(answers, run), taker), taker)
  const way: [PreparedStep, ...PreparedStep[]] = [first]
  const drafted = new Map<string, string>()
  let at = run
  for (let last = first; ;) {
    const next = nextOwn(run, last, taker.userId)
    if (next === null) return way
    for (const { slug, text, isFile } of last.drafts) drafted.set(slug, isFile ? FILE_VALUE : text)
    at = advanced(at, last, next)
    last = await evaluateStep(at, answersOf(answers, at), taker, drafted)
    way.push(last)
  }
}

function answersOf(answers: TurnAnswers, { current_node: step }: FlowRun): FlowAnswers {
  return answers[step] ?? {}
}

function nextOwn({ bindings }: FlowRun, step: PreparedStep, userId: string): FlowNode | null {
  const { problems, choice, definition } = step
  if (problems.length > 0 || choice.kind !== 'next') return null
  const node = definition.nodes.find(({ key }) => key === choice.node)
  if (node === undefined || bindings[node.party] !== userId) return null
  return node.elements.some(({ kind }) => kind === 'plugin') ? null : node
}

/** The run as it is once the step has been sent. */
function advanced(run: FlowRun, { drafts }: PreparedStep, next: FlowNode): FlowRun {
  const added = drafts.filter(({ isPrivate }) => isPrivate).map(({ slug }) => slug)
  const known: readonly string[] | null | undefined = run.private_slugs
  const privateSlugs = known === undefined || known === null ? {} : { private_slugs: [...known, ...added] }
  return { ...run, ...privateSlugs, status: `awaiting_${next.party}`, current_node: next.key }
}

function isAwaited(run: FlowRun, node: FlowNode, userId: string): boolean {
  return run.current_node === node.key && awaitedParty(run, userId)?.isOwn === true
}

function requireComplete({ id }: FlowRun, way: readonly PreparedStep[]): void {
  for (const { turn, problems, choice } of way) {
    const subject = `run ${id}, step ${turn.node.key}`
    if (problems.length > 0) throw new FlowError('answers_invalid', subject, problems)
    if (choice.kind === 'stuck') throw new FlowError('no_next_step', subject)
  }
}

/** Everything that the person has seen of a run and that never changes. A server that shows another run gets no answers. */
function requireSame(began: FlowRun, run: FlowRun): void {
  const isSame = JSON.stringify(pinned(began)) === JSON.stringify(pinned(run))
  if (!isSame) throw new FlowError('run_changed', `run ${began.id}`)
}

function pinned(run: FlowRun): readonly unknown[] {
  const bindings = Object.entries(run.bindings).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return [run.id, run.flow_id, run.flow_version, run.service_id, run.reference_date, bindings, run.definition]
}
