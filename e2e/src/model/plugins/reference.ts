import { textOf, type Value, withConstants } from '../flows/evaluate.ts'
import type { WrittenCondition, WrittenExpression } from '../flows/written.ts'
import { probeInputs } from './probe.ts'
import type { CaseAnswer, PluginCase } from './random-case.ts'

/** What may leave the party, straight from the rules: it shares nothing with the code that it is compared with. */
export interface Expected {
  /** Every answer as it is at the last step. */
  readonly texts: ReadonlyMap<string, string>
  /** Slugs of earlier answers that are listed as private. */
  readonly privateSlugs: ReadonlySet<string>
  /** Slugs of the last step whose value comes from a private source. */
  readonly privateDrafts: ReadonlySet<string>
  /** Null when a required input must not be sent: the plugin is not called. */
  readonly inputs: Readonly<Record<string, string | number>> | null
  /** Given texts that must not reach the plugin. */
  readonly withheld: readonly string[]
  /** By input: the kind of its source, and whether it is sent. */
  readonly kinds: readonly string[]
}

/** `isListed`: the run is read with its list of private slugs. */
export function expectInputs(given: PluginCase, isListed: boolean, today: string): Expected {
  const { answers, constants, wiring, parties } = given
  const last = parties.length - 1
  const texts = fillTexts(given, today)
  const values = withConstants(constants, texts, today)
  const isPrivate = (key: string): boolean => isPrivateIn(given, isListed, key)
  const sent: Record<string, string | number> = {}
  const kinds: string[] = []
  let isRefused = false
  for (const { key, type, required } of probeInputs[given.probe]) {
    const source = wiring[key]
    const value = source === undefined ? undefined : values.get(source)
    const isSent = source !== undefined && isGiven(value) && !isPrivate(source)
    if (isSent) sent[key] = type === 'number' ? Number(value) : textOf(value)
    else if (required) isRefused = true
    if (source !== undefined && isGiven(value)) kinds.push(`${kindOf(given, source)} ${isSent ? 'sent' : 'withheld'}`)
  }
  const isDraft = ({ step }: CaseAnswer): boolean => step === last
  const privateAnswers = answers.filter(({ slug }) => isPrivateIn(given, true, slug))
  return {
    texts,
    privateSlugs: new Set(privateAnswers.filter((one) => !isDraft(one)).map(({ slug }) => slug)),
    privateDrafts: new Set(answers.filter((one) => isDraft(one) && one.isPrivate).map(({ slug }) => slug)),
    inputs: isRefused ? null : sent,
    withheld: privateAnswers.flatMap(({ given: text }) => text ?? []),
    kinds,
  }
}

function isGiven(value: Value): boolean {
  return value !== undefined && value !== ''
}

/** A default reads only what stands before it. */
function fillTexts({ answers, constants }: PluginCase, today: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const { slug, given, default: written } of answers) {
    const copied = written?.type === 'ref' ? withConstants(constants, texts, today).get(written.key) : undefined
    const text = given ?? textOf(copied)
    if (text !== '') texts.set(slug, text)
  }
  return texts
}

function isPrivateIn(given: PluginCase, isListed: boolean, key: string): boolean {
  const { answers, constants, parties } = given
  const last = parties.length - 1
  const anyOf = (keys: readonly string[]): boolean => keys.some((one) => isPrivateIn(given, isListed, one))
  const constant = constants.find((one) => one.key === key)
  if (constant !== undefined) return anyOf(keysOf(constant.expr))
  const answer = answers.find(({ slug }) => slug === key)
  if (answer === undefined) return false
  if (!isListed && answer.step < last) return answer.party !== parties[last]
  return answer.isPrivate || (answer.default !== null && anyOf(keysOf(answer.default)))
}

function keysOf(expression: WrittenExpression): readonly string[] {
  switch (expression.type) {
    case 'lit':
    case 'today':
      return []
    case 'ref':
      return [expression.key]
    case 'if':
      return [
        ...expression.cases.flatMap((one) => [...keysOfCondition(one.when), ...keysOf(one.then)]),
        ...keysOf(expression.else),
      ]
    case 'concat':
      return expression.parts.flatMap(keysOf)
    case 'datediff':
      return [...keysOf(expression.from), ...keysOf(expression.to)]
    case 'math':
      return expression.args.flatMap(keysOf)
  }
}

function keysOfCondition(condition: WrittenCondition): readonly string[] {
  return 'children' in condition ? condition.children.flatMap(keysOfCondition) : [condition.field]
}

function kindOf({ answers, parties }: PluginCase, key: string): string {
  const answer = answers.find(({ slug }) => slug === key)
  if (answer === undefined) return 'constant'
  if (answer.step === parties.length - 1)
    return answer.default === null ? 'answer of this step' : 'default of this step'
  return answer.party === parties.at(-1) ? 'own answer' : 'answer of the other party'
}
