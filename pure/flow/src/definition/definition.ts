/**
 * A flow definition in the shape of the wire, so that a JSON pointer into one is a pointer into the other. Conditions
 * and expressions stay unparsed: a draft may hold broken ones, and the evaluators accept any JSON.
 */
export interface Definition {
  readonly entry: string
  readonly output_mode: OutputMode
  readonly parties: readonly Party[]
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly Edge[]
  readonly constants: readonly FlowConstant[]
}

export type OutputMode = 'data_only' | 'document'

export type PartyType = 'owner' | 'person' | 'company'

export interface Party {
  readonly key: string
  readonly label: string
  /** Absent on the older, untyped kind. */
  readonly type?: PartyType
}

export interface FlowNode {
  readonly key: string
  readonly party: string
  readonly title: string
  readonly elements: readonly FlowElement[]
  /** Set on a leaf of a flow that makes documents. */
  readonly language_party?: string
  readonly outputs?: readonly Output[]
}

export interface Edge {
  readonly from: string
  readonly to: string
  readonly sort: number
  readonly condition: unknown
}

export type FlowElement = FieldElement | TextElement | ImageElement | PluginElement | UnrecognisedElement

export interface FieldElement {
  readonly kind: 'field'
  readonly slug: string
  readonly field_type: string
  readonly label: string
  readonly required: boolean
  readonly show_if?: unknown
  readonly help?: string
  readonly options?: readonly FieldOption[]
  readonly link?: LinkRule
  readonly verified_max_age_days?: number
  readonly default?: unknown
  readonly min?: unknown
  readonly max?: unknown
  readonly max_mb?: number
}

export type LinkRule = 'none' | 'allowed' | 'connected' | 'verified'

export interface FieldOption {
  readonly value: string
  readonly label: string
  readonly available_if?: unknown
}

export interface TextElement {
  readonly kind: 'text'
  readonly body: string
  readonly show_if?: unknown
}

export interface ImageElement {
  readonly kind: 'image'
  readonly asset_key: string
  readonly alt: string
  readonly show_if?: unknown
}

export interface PluginElement {
  readonly kind: 'plugin'
  readonly slug: string
  readonly label: string
  readonly required: boolean
  readonly show_if?: unknown
  readonly plugin: PluginUse
}

export interface PluginUse {
  readonly plugin_id: string
  readonly field_type: string
  /** Absent until the flow is saved for the first time. */
  readonly snapshot?: PluginSnapshot
  /** Plugin input key to flow key; without a prototype, because the keys come from outside. */
  readonly inputs: Readonly<Record<string, string>>
}

export interface PluginSnapshot {
  readonly plugin_name: string
  readonly host: string
  readonly label: string
  readonly blocks: readonly PluginBlock[]
  readonly inputs: readonly PluginInput[]
  readonly outputs: readonly PluginOutput[]
}

export type PluginValueType = 'number' | 'date' | 'boolean' | 'text'

export type PluginBlockKind = 'search_select' | 'text' | 'number' | 'date'

export interface PluginBlock {
  readonly key: string
  readonly kind: PluginBlockKind
  readonly label: string
  readonly depends_on?: readonly string[]
}

export interface PluginInput {
  readonly key: string
  readonly type: PluginValueType
  readonly label: string
  readonly required: boolean
}

export interface PluginOutput {
  readonly key: string
  readonly type: PluginValueType
  readonly label: string
}

/** An element of a kind that no client can show. A draft may hold it; publishing refuses it. */
export interface UnrecognisedElement {
  readonly kind: 'unrecognised'
  readonly written_kind: string
  readonly show_if?: unknown
}

export interface Output {
  readonly output_key: string
  readonly name: string
  /** Whether a customer may cancel a copy: a boolean once published, false when absent. */
  readonly cancellable?: unknown
  readonly rules: readonly OutputRule[]
}

/** A draft may name no source or several; `sourceOf` tells whether it is exactly one. */
export interface OutputRule {
  readonly asset_key?: string
  readonly source_field?: string
  readonly source_connection?: SourceConnection
  readonly condition: unknown
  readonly languages: 'all' | readonly string[]
  readonly signers?: readonly Signer[]
}

export interface SourceConnection {
  readonly party: string
  readonly request_slug: string
}

export interface Signer {
  readonly party: string
  /** `sign` or `accept` once published. */
  readonly action: string
}

export interface FlowConstant {
  readonly key: string
  readonly label: string
  readonly result_type: string
  readonly expr: unknown
  readonly shown_on: readonly string[]
}
