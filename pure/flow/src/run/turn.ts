import { evaluateCondition, evaluateExpression, formatValue, isAnswered, type Answers } from '@sealpost/expression'
import type { Definition, FieldElement, FieldOption, FlowElement, FlowNode } from '../definition/definition.ts'
import { isAnswerElement, type AnswerElement } from '../graph/flow-keys.ts'
import { runValues } from './values.ts'

/** The content and the required answers of a step for its party, at this moment of filling it in. */
export interface Turn {
  readonly node: FlowNode
  readonly elements: readonly FlowElement[]
  /** Slugs that are submitted when answered; a hidden element's is not. */
  readonly allowed: readonly string[]
  readonly required: readonly string[]
  /** Per field with options those that may be chosen now. */
  readonly options: ReadonlyMap<string, readonly FieldOption[]>
  readonly bounds: ReadonlyMap<string, Bounds>
  /** The current value of each default, by slug. */
  readonly defaults: ReadonlyMap<string, unknown>
  readonly constants: readonly ShownConstant[]
  /** All values of the run without those of hidden elements: route by these. */
  readonly values: Answers
}

/** As evaluated; null or a boolean means no bound. */
export interface Bounds {
  readonly min: unknown
  readonly max: unknown
}

export interface ShownConstant {
  readonly key: string
  readonly label: string
  /** Null while it is pending. */
  readonly text: string | null
}

export interface TurnFacts {
  /** Earlier answers as opened, and the answers at this step so far. */
  readonly answers: Answers
  readonly referenceDate: string
}

/** Null when the definition has no such step. */
export function describeTurn(definition: Definition, nodeKey: string, facts: TurnFacts): Turn | null {
  const node = definition.nodes.find(({ key }) => key === nodeKey)
  if (node === undefined) return null
  const { elements, values } = whatIsShown(definition, node, facts)
  const shown = elements.filter(isAnswerElement)
  const fields = shown.filter((element): element is FieldElement => element.kind === 'field')
  return {
    node,
    elements,
    allowed: shown.map(({ slug }) => slug),
    required: shown.filter(({ required }) => required).map(({ slug }) => slug),
    options: new Map(fields.flatMap((field) => openOptions(field, values))),
    bounds: new Map(fields.flatMap((field) => boundsOf(field, values, facts.referenceDate))),
    defaults: new Map(fields.flatMap((field) => defaultOf(field, values, facts.referenceDate))),
    constants: shownConstants(definition, nodeKey, values),
    values,
  }
}

interface Shown {
  readonly elements: readonly FlowElement[]
  readonly values: Answers
}

/**
 * An answer that was filled in before its element was hidden is not submitted, so it must not be read either: not by
 * another element's `show_if`, not by a constant, not by an edge. Hiding one may hide or show others, so this is
 * repeated until nothing changes; elements that keep hiding each other are evaluated once per element, no more.
 */
function whatIsShown(definition: Definition, node: FlowNode, facts: TurnFacts): Shown {
  let shown = { elements: node.elements, values: runValues(definition, facts.answers, facts.referenceDate) }
  for (const _ of node.elements) {
    const elements = node.elements.filter((element) => evaluateCondition(element.show_if, shown.values))
    if (isSame(elements, shown.elements)) return shown
    shown = { elements, values: valuesWithout(definition, hiddenSlugs(node, elements), facts) }
  }
  return shown
}

function isSame(one: readonly FlowElement[], other: readonly FlowElement[]): boolean {
  return one.length === other.length && one.every((element, place) => element === other[place])
}

function hiddenSlugs(node: FlowNode, shown: readonly FlowElement[]): ReadonlySet<string> {
  const hidden = node.elements.filter(
    (element): element is AnswerElement => !shown.includes(element) && isAnswerElement(element),
  )
  return new Set(hidden.map(({ slug }) => slug))
}

function valuesWithout(definition: Definition, hidden: ReadonlySet<string>, facts: TurnFacts): Answers {
  const read = new Map([...facts.answers].filter(([slug]) => !hidden.has(slug)))
  return runValues(definition, read, facts.referenceDate)
}

function openOptions({ slug, options }: FieldElement, values: Answers): readonly [string, readonly FieldOption[]][] {
  if (options === undefined) return []
  return [[slug, options.filter(({ available_if }) => evaluateCondition(available_if, values))]]
}

function boundsOf({ slug, min, max }: FieldElement, values: Answers, today: string): readonly [string, Bounds][] {
  if (min === undefined && max === undefined) return []
  return [[slug, { min: evaluateExpression(min, values, today), max: evaluateExpression(max, values, today) }]]
}

function defaultOf(field: FieldElement, values: Answers, today: string): readonly [string, unknown][] {
  return field.default === undefined ? [] : [[field.slug, evaluateExpression(field.default, values, today)]]
}

function shownConstants(definition: Definition, nodeKey: string, values: Answers): readonly ShownConstant[] {
  return definition.constants
    .filter(({ shown_on }) => shown_on.includes(nodeKey))
    .map(({ key, label }) => {
      const value = values.get(key)
      return { key, label: label === '' ? key : label, text: isAnswered(value) ? formatValue(value) : null }
    })
}
