import { checkAdvance, type Definition } from '@sealpost/flow'
import type { Dice } from '@sealpost/testkit/dice'
import { kindOf } from './field-values.ts'
import { type FilledStep, fillStep } from './fill-step.ts'
import { Mismatch } from './mismatch.ts'
import { awaited, begin, type KnownAnswer, route, type RunState, shownFields, takeTurn } from './reference.ts'
import { fieldsOf, nodeOf, type WrittenFlow } from './written.ts'

export interface Walk {
  readonly flow: WrittenFlow
  /** The same flow, as the client half reads it. */
  readonly definition: Definition
  readonly today: string
}

export interface WalkedTurn {
  readonly party: string
  readonly answers: readonly KnownAnswer[]
}

/** A run by the client half alone, filled in at random; every step must be as the model says, and accepted. */
export function walkFlow(dice: Dice, walk: Walk): { readonly turns: readonly WalkedTurn[]; readonly end: RunState } {
  const { flow, definition, today } = walk
  let { state } = begin(flow)
  const turns: WalkedTurn[] = []
  for (let party = awaited(flow, state); party !== null; party = awaited(flow, state)) {
    const known = new Map(state.answers.map(({ slug, text }) => [slug, text]))
    const filled = fillStep(dice, { definition, node: state.node, known, today }, false)
    checkAgainstModel(walk, state, filled)
    const said = filled.next === null ? { leaf: true } : { next_node: filled.next }
    const advance = checkAdvance(definition, state.node, said)
    if (!advance.ok) throw new Mismatch(`${JSON.stringify(said)} is refused at ${state.node}`)
    const answers = answersOf(flow, state, party, filled)
    turns.push({ party, answers })
    state = takeTurn(flow, state, answers, filled.next).state
    const status = advance.value.to === 'turn' ? `awaiting_${advance.value.party}` : advance.value.to
    if (status !== state.status) throw new Mismatch(`the run is ${status}, not ${state.status}`)
    if (turns.length > flow.nodes.length) throw new Mismatch('the run does not end')
  }
  return { turns, end: state }
}

function answersOf(flow: WrittenFlow, { node }: RunState, party: string, filled: FilledStep): readonly KnownAnswer[] {
  const types = new Map(fieldsOf(nodeOf(flow, node)).map(({ slug, field_type }) => [slug, field_type]))
  return Array.from(filled.answers, ([slug, text]) => {
    return { slug, party, text, isFile: kindOf(types.get(slug) ?? '') === 'file', isPrivate: false }
  })
}

/** The client half and the model must show the same fields and choose the same way. */
export function checkAgainstModel(
  { flow, today }: Pick<Walk, 'flow' | 'today'>,
  state: RunState,
  { answers, shown, next }: FilledStep,
): void {
  const expected = shownFields(flow, state, answers, today)
  if (shown.join() !== expected.join())
    throw new Mismatch(`at ${state.node} the client shows ${shown.join()}, the model ${expected.join()}`)
  const way = route(flow, state, answers, today)
  if (next !== way) throw new Mismatch(`from ${state.node} the client goes to ${next}, the model to ${way}`)
}
