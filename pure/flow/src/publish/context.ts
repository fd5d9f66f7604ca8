import { parseExpression, type Expression, type ExpressionProblem, type ValueType } from '@sealpost/expression'
import type { Result } from '@sealpost/kernel'
import type { Definition, FlowConstant, FlowElement, FlowNode, OutputRule } from '../definition/definition.ts'
import { pointer, type JsonPointer } from '../definition/pointer.ts'
import { availabilityOf, type Availability } from '../graph/availability.ts'
import { isAnswerElement, pluginKeyTypes } from '../graph/flow-keys.ts'
import { graphOf, type FlowGraph } from '../graph/graph.ts'
import type { PublishFacts } from './facts.ts'
import { fieldValueType, isFlowType } from './field-kinds.ts'

export interface PlacedNode {
  readonly node: FlowNode
  readonly path: JsonPointer
}

export interface PlacedElement {
  readonly element: FlowElement
  readonly path: JsonPointer
  readonly node: FlowNode
}

export interface PlacedRule {
  readonly rule: OutputRule
  readonly path: JsonPointer
  readonly node: FlowNode
}

export interface PlacedConstant {
  readonly constant: FlowConstant
  readonly path: JsonPointer
  readonly parsed: Result<Expression, ExpressionProblem>
}

/** Whether a key can be read at a step. */
export type KeyState = 'available' | 'unknown' | 'answer_missing' | 'constant_missing'

/** A definition prepared for the checks: every part with its place. */
export interface PublishContext {
  readonly definition: Definition
  readonly facts: PublishFacts
  readonly graph: FlowGraph
  readonly availability: Availability
  readonly isDocumentFlow: boolean
  readonly nodes: readonly PlacedNode[]
  readonly elements: readonly PlacedElement[]
  readonly rules: readonly PlacedRule[]
  readonly constants: readonly PlacedConstant[]
  /** Null for a key that does not exist, or whose own declaration is invalid. */
  readonly typeOf: (key: string) => ValueType | null
  readonly isKnown: (key: string) => boolean
  readonly stateOf: (key: string, nodeKey: string) => KeyState
}

export function publishContext(definition: Definition, facts: PublishFacts): PublishContext {
  const nodes = definition.nodes.map((node, place) => ({ node, path: pointer('/nodes', place) }))
  const elements = nodes.flatMap(elementsOf)
  const constants = definition.constants.map(placedConstant)
  const availability = availabilityOf(definition)
  const types = typesOfKeys(facts, elements, constants)
  const undescribed = undescribedPlugins(elements)
  const isKnown = (key: string): boolean =>
    availability.answeredAt.has(key) || availability.readBy.has(key) || isValueOf(undescribed, key)
  const faulty = faultyConstants(constants, availability)
  return {
    definition,
    facts,
    graph: graphOf(definition),
    availability,
    isDocumentFlow: definition.output_mode === 'document',
    nodes,
    elements,
    rules: nodes.flatMap(rulesOf),
    constants,
    typeOf: (key) => types.get(key) ?? null,
    isKnown,
    stateOf: (key, nodeKey) => {
      if (!isKnown(key)) return 'unknown'
      // One fault, one finding: an invalid constant or plugin is reported at its declaration, not at each use.
      if (faulty.has(key) || isValueOf(undescribed, key)) return 'available'
      if (availability.isAvailable(key, nodeKey)) return 'available'
      return availability.answeredAt.has(key) ? 'answer_missing' : 'constant_missing'
    },
  }
}

function elementsOf({ node, path }: PlacedNode): readonly PlacedElement[] {
  return node.elements.map((element, place) => ({ element, path: pointer(path, 'elements', place), node }))
}

function rulesOf({ node, path }: PlacedNode): readonly PlacedRule[] {
  return (node.outputs ?? []).flatMap(({ rules }, output) =>
    rules.map((rule, place) => ({ rule, path: pointer(path, 'outputs', output, 'rules', place), node })),
  )
}

function placedConstant(constant: FlowConstant, place: number): PlacedConstant {
  return { constant, path: pointer('/constants', place), parsed: parseExpression(constant.expr) }
}

/** The first of two equal keys counts; the second is reported as a duplicate. */
function typesOfKeys(
  facts: PublishFacts,
  elements: readonly PlacedElement[],
  constants: readonly PlacedConstant[],
): ReadonlyMap<string, ValueType> {
  const found: (readonly [string, ValueType])[] = []
  for (const { element } of elements) {
    if (!isAnswerElement(element)) continue
    if (element.kind === 'plugin') found.push(...pluginKeyTypes(element))
    else if (isFlowType(facts.types, element.field_type)) {
      found.push([element.slug, fieldValueType(facts.types, element.field_type)])
    }
  }
  for (const { constant } of constants) {
    if (isValueType(constant.result_type)) found.push([constant.key, constant.result_type])
  }
  return new Map(found.toReversed())
}

export function isValueType(text: string): text is ValueType {
  return text === 'number' || text === 'text' || text === 'date' || text === 'boolean'
}

/** The values of such a plugin are unknown; that it is unknown is a finding of its own. */
function undescribedPlugins(elements: readonly PlacedElement[]): ReadonlySet<string> {
  return new Set(
    elements.flatMap(({ element }) =>
      element.kind === 'plugin' && element.plugin.snapshot === undefined ? [element.slug] : [],
    ),
  )
}

function isValueOf(plugins: ReadonlySet<string>, key: string): boolean {
  const [slug = '', ...rest] = key.split('.')
  return rest.length > 0 && plugins.has(slug)
}

/** Constants that cannot be read, or that read, through any constants, a key that does not exist. */
function faultyConstants(
  constants: readonly PlacedConstant[],
  { answeredAt, readBy }: Availability,
): ReadonlySet<string> {
  const isFaulty = ({ constant, parsed }: PlacedConstant): boolean =>
    !parsed.ok || Array.from(readBy.get(constant.key) ?? []).some((key) => !answeredAt.has(key))
  return new Set(constants.filter(isFaulty).map(({ constant }) => constant.key))
}
