import { formatValue } from '@sealpost/expression'
import { buildRegistry, seedRows } from '@sealpost/field-types'
import { checkAnswer, chooseNext, type Definition, describeTurn, type Turn, turnProblems } from '@sealpost/flow'
import type { Dice } from '@sealpost/testkit/dice'
import { kindOf, randomText } from './field-values.ts'

const types = buildRegistry(seedRows)

/** A step as its party has filled it in, by the client half alone. */
export interface FilledStep {
  /** Plaintexts by slug; of a file its envelope. */
  readonly answers: ReadonlyMap<string, string>
  readonly shown: readonly string[]
  /** Null: the run ends here. */
  readonly next: string | null
  /** A required field was left out, which only clients refuse. */
  readonly isCareless: boolean
}

interface StepFacts {
  readonly definition: Definition
  readonly node: string
  /** Earlier answers as opened. */
  readonly known: ReadonlyMap<string, string>
  readonly today: string
}

/** Answers the step at random, so that its client would submit it. */
export function fillStep(dice: Dice, facts: StepFacts, mayBeCareless: boolean): FilledStep {
  const answers = new Map<string, string>()
  const omitted = new Set<string>()
  const isForgetful = mayBeCareless && dice.chance(0.04)
  for (;;) {
    const turn = turnWith(facts, answers)
    const slug = turn.allowed.find((one) => !answers.has(one) && !omitted.has(one))
    if (slug === undefined) return finish(facts, turn, answers)
    const isRequired = turn.required.includes(slug)
    if (isRequired ? isForgetful : dice.chance(0.35)) omitted.add(slug)
    else answers.set(slug, randomAnswer(dice, turn, slug))
  }
}

function turnWith({ definition, node, known, today }: StepFacts, answers: ReadonlyMap<string, string>): Turn {
  const turn = describeTurn(definition, node, { answers: new Map([...known, ...answers]), referenceDate: today })
  if (turn === null) throw new Error(`the client finds no step ${node}`)
  return turn
}

function finish({ definition, node }: StepFacts, turn: Turn, answers: Map<string, string>): FilledStep {
  for (const slug of answers.keys()) if (!turn.allowed.includes(slug)) answers.delete(slug)
  const problems = turnProblems(turn)
  const others = problems.filter(({ reason }) => reason !== 'missing')
  if (others.length > 0) throw new Error(`the client refuses its own answers: ${JSON.stringify(others)}`)
  const choice = chooseNext(definition, node, turn.values)
  if (choice.kind === 'stuck') throw new Error(`no edge of ${node} holds, and the run may not end there`)
  return {
    answers,
    shown: turn.allowed,
    next: choice.kind === 'next' ? choice.node : null,
    isCareless: problems.length > 0,
  }
}

const ATTEMPTS = 200

/** An answer that the field's type, options and bounds accept. */
function randomAnswer(dice: Dice, turn: Turn, slug: string): string {
  const field = turn.node.elements.find((one) => one.kind === 'field' && one.slug === slug)
  if (field?.kind !== 'field') throw new Error(`${slug} is no field of ${turn.node.key}`)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const text =
      attempt === 0 && turn.defaults.has(slug) ? formatValue(turn.defaults.get(slug)) : propose(dice, turn, field)
    const isFine = text !== '' && checkAnswer(types, field, text).ok
    const values = new Map([...turn.values, [slug, text]])
    if (isFine && turnProblems({ ...turn, allowed: [slug], values }).length === 0) return text
  }
  throw new Error(`no answer to ${slug} (${field.field_type}) was found`)
}

function propose(dice: Dice, turn: Turn, { slug, field_type: type }: { slug: string; field_type: string }): string {
  const open = turn.options.get(slug)?.map(({ value }) => value)
  if (open === undefined) return randomText(dice, type)
  if (kindOf(type) !== 'many') return dice.pick(open)
  return JSON.stringify(open.filter(() => dice.chance(0.6)))
}
