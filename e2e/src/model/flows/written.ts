/** A definition as an author writes it: the model reads these types only, and none of the packages it is compared with. */
export interface WrittenFlow {
  readonly entry: string
  readonly output_mode: 'data_only' | 'document'
  readonly parties: readonly WrittenParty[]
  readonly nodes: readonly WrittenNode[]
  readonly edges: readonly WrittenEdge[]
  readonly constants: readonly WrittenConstant[]
}

export interface WrittenParty {
  readonly key: string
  readonly label: string
  readonly type?: 'owner' | 'person' | 'company'
}

export interface WrittenNode {
  readonly key: string
  readonly party: string
  readonly title: string
  readonly elements: readonly WrittenElement[]
  readonly language_party?: string
  readonly outputs?: readonly WrittenOutput[]
}

export interface WrittenOutput {
  readonly output_key: string
  readonly name: string
  readonly rules: readonly WrittenRule[]
}

export interface WrittenRule {
  readonly asset_key?: string
  readonly source_field?: string
  readonly source_connection?: { readonly party: string; readonly request_slug: string }
  readonly condition: WrittenCondition | null
  readonly languages: 'all' | readonly string[]
  readonly signers?: readonly { readonly party: string; readonly action: 'sign' | 'accept' }[]
}

export interface WrittenEdge {
  readonly from: string
  readonly to: string
  readonly sort: number
  readonly condition: WrittenCondition | null
}

export type WrittenElement = WrittenField | WrittenText

export interface WrittenField {
  readonly kind: 'field'
  readonly slug: string
  readonly field_type: string
  readonly label: string
  readonly required: boolean
  readonly show_if?: WrittenCondition
  readonly options?: readonly WrittenOption[]
  readonly default?: WrittenExpression
  readonly min?: WrittenExpression
  readonly max?: WrittenExpression
  readonly max_mb?: number
}

export interface WrittenOption {
  readonly value: string
  readonly label: string
  readonly available_if?: WrittenCondition
}

export interface WrittenText {
  readonly kind: 'text'
  readonly body: string
  readonly show_if?: WrittenCondition
}

export interface WrittenConstant {
  readonly key: string
  readonly label: string
  readonly result_type: 'number' | 'text' | 'date' | 'boolean'
  readonly expr: WrittenExpression
  readonly shown_on: readonly string[]
}

export type Scalar = string | number | boolean

export type WrittenCondition =
  | { readonly op: 'and' | 'or' | 'not'; readonly children: readonly WrittenCondition[] }
  | { readonly field: string; readonly op: 'answered' | 'empty' }
  | { readonly field: string; readonly op: 'in' | 'nin'; readonly value: readonly Scalar[] }
  | { readonly field: string; readonly op: Comparison; readonly value: Scalar }

export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | 'contains' | 'not_contains'

export type WrittenExpression =
  | { readonly type: 'lit'; readonly value_type: WrittenConstant['result_type']; readonly value: Scalar }
  | { readonly type: 'ref'; readonly key: string }
  | { readonly type: 'today' }
  | { readonly type: 'if'; readonly cases: readonly WrittenCase[]; readonly else: WrittenExpression }
  | { readonly type: 'concat'; readonly parts: readonly WrittenExpression[]; readonly sep: string }
  | {
      readonly type: 'datediff'
      readonly unit: 'days' | 'weeks' | 'months' | 'years'
      readonly from: WrittenExpression
      readonly to: WrittenExpression
    }
  | { readonly type: 'math'; readonly op: MathOp; readonly args: readonly WrittenExpression[] }

export interface WrittenCase {
  readonly when: WrittenCondition
  readonly then: WrittenExpression
}

export type MathOp = 'add' | 'sub' | 'mul' | 'div' | 'mod' | 'round' | 'floor' | 'ceil' | 'abs' | 'neg' | 'max' | 'min'

export function fieldsOf(node: WrittenNode): readonly WrittenField[] {
  return node.elements.filter((element): element is WrittenField => element.kind === 'field')
}

export function nodeOf(flow: WrittenFlow, key: string): WrittenNode {
  const node = flow.nodes.find((one) => one.key === key)
  if (node === undefined) throw new Error(`the flow has no step ${key}`)
  return node
}

/** The edges that leave a step, in the order in which they are tried: by `sort`, equal ones as written. */
export function waysFrom(flow: WrittenFlow, nodeKey: string): readonly WrittenEdge[] {
  return flow.edges.filter(({ from }) => from === nodeKey).toSorted((one, other) => one.sort - other.sort)
}
