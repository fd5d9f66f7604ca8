import type { Dice } from '@sealpost/testkit/dice'
import type { WrittenConstant, WrittenExpression } from '../flows/written.ts'
import { type ProbeType, probeInputs } from './probe.ts'

export type PartyKey = 'us' | 'customer'

/** A field with the answer that its party gives. */
export interface CaseAnswer {
  readonly slug: string
  /** Of the step; the last one has the plugin. */
  readonly step: number
  readonly party: PartyKey
  readonly kind: 'text' | 'number'
  readonly default: WrittenExpression | null
  /** Null: the default stays, or nothing is answered. */
  readonly given: string | null
  /** The party takes it from a private source. */
  readonly isPrivate: boolean
}

/** A flow that ends at a step with a plugin, and what its parties answer. */
export interface PluginCase {
  readonly parties: readonly PartyKey[]
  readonly answers: readonly CaseAnswer[]
  /** Each reads only those before it. */
  readonly constants: readonly WrittenConstant[]
  readonly probe: ProbeType
  /** Plugin input to flow key. */
  readonly wiring: Readonly<Record<string, string>>
}

/** All given texts begin with it: one search finds any of them. */
export const PLANTED = 'zqplanted'

interface Key {
  readonly key: string
  readonly kind: 'text' | 'number'
}

export function randomCase(dice: Dice): PluginCase {
  const parties = Array.from({ length: 2 + dice.below(3) }, () => dice.pick(['us', 'customer'] as const))
  const last = parties.length - 1
  const answers: CaseAnswer[] = []
  const constants: WrittenConstant[] = []
  const readable: Key[] = []
  for (const [step, party] of parties.entries()) {
    // Of the last step as well; a default reads what stands before it, so that nothing reads itself.
    for (let turn = 0; turn < 1 + dice.below(3); turn += 1) {
      const answer = randomAnswer(dice, { slug: `s${step}_${turn}`, step, party, isLast: step === last }, readable)
      answers.push(answer)
      readable.push({ key: answer.slug, kind: answer.kind })
    }
    for (let turn = 0; turn < dice.below(3); turn += 1) {
      const constant = randomConstant(dice, `c${step}_${turn}`, readable)
      constants.push(constant)
      readable.push({ key: constant.key, kind: constant.result_type === 'number' ? 'number' : 'text' })
    }
  }
  const probe = dice.pick(['open', 'open', 'strict'] as const)
  return { parties, answers, constants, probe, wiring: randomWiring(dice, probe, readable) }
}

interface Place {
  readonly slug: string
  readonly step: number
  readonly party: PartyKey
  readonly isLast: boolean
}

function randomAnswer(dice: Dice, { isLast, ...place }: Place, readable: readonly Key[]): CaseAnswer {
  const kind = dice.pick(['text', 'text', 'number'] as const)
  const same = readable.filter((one) => one.kind === kind)
  const isDefaulted = same.length > 0 && dice.chance(0.4)
  const written: WrittenExpression | null = isDefaulted ? { type: 'ref', key: dice.pick(same).key } : null
  const isLeft = isDefaulted ? dice.chance(0.5) : isLast && dice.chance(0.15)
  return {
    ...place,
    kind,
    default: written,
    given: isLeft ? null : plantedValue(dice, kind),
    isPrivate: !isLeft && dice.chance(0.35),
  }
}

function plantedValue(dice: Dice, kind: 'text' | 'number'): string {
  if (kind === 'number') return String(100_000_000 + dice.below(899_999_999))
  const letters = Array.from({ length: 12 }, () => String.fromCharCode(97 + dice.below(26)))
  return `${PLANTED}${letters.join('')}`
}

function randomConstant(dice: Dice, key: string, readable: readonly Key[]): WrittenConstant {
  const numbers = readable.filter(({ kind }) => kind === 'number')
  const any = (): WrittenExpression => ({ type: 'ref', key: dice.pick(readable).key })
  const word: WrittenExpression = { type: 'lit', value_type: 'text', value: 'word' }
  if (numbers.length > 0 && dice.chance(0.3)) {
    const one: WrittenExpression = { type: 'lit', value_type: 'number', value: 1 }
    const args: WrittenExpression[] = [{ type: 'ref', key: dice.pick(numbers).key }, one]
    return { key, label: key, result_type: 'number', expr: { type: 'math', op: 'add', args }, shown_on: [] }
  }
  // The value alone does not show that a condition has read a private one.
  const when = { field: dice.pick(readable).key, op: 'contains', value: 'a' } as const
  // oxlint-disable-next-line unicorn/no-thenable -- the wire's name of the branch; it is data and never awaited
  const branch: WrittenExpression = { type: 'if', cases: [{ when, then: word }], else: concat([any()]) }
  const expr = dice.chance(0.3) ? branch : concat(dice.chance(0.5) ? [any(), any()] : [word, any()])
  return { key, label: key, result_type: 'text', expr, shown_on: [] }
}

function concat(parts: readonly WrittenExpression[]): WrittenExpression {
  return { type: 'concat', parts, sep: '-' }
}

function randomWiring(dice: Dice, probe: ProbeType, readable: readonly Key[]): Readonly<Record<string, string>> {
  const wired = probeInputs[probe].flatMap(({ key, type, required }) => {
    const fitting = type === 'number' ? readable.filter(({ kind }) => kind === 'number') : readable
    return fitting.length === 0 || (!required && dice.chance(0.1)) ? [] : [[key, dice.pick(fitting).key] as const]
  })
  return Object.fromEntries(wired)
}
