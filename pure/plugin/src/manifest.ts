import type { KeyRollover } from '@sealpost/kernel'

/** The description that a plugin serves at `GET {base_url}/manifest`. */
export interface Manifest {
  readonly name: string
  /** base64 of a DER SubjectPublicKeyInfo, RSA-2048: questions are sealed to it. */
  readonly public_key: string
  /** How former keys vouch for the present one, oldest first; none for the first key. */
  readonly key_rollovers?: readonly KeyRollover[]
  readonly field_types: readonly FieldType[]
}

export interface FieldType {
  readonly key: string
  readonly label: string
  /** In the order in which a person fills them. */
  readonly blocks: readonly Block[]
  readonly inputs: readonly Input[]
  readonly outputs: readonly Output[]
}

export interface Block {
  readonly key: string
  readonly kind: BlockKind
  readonly label: string
  /** Keys of earlier blocks that have to be filled before this one. */
  readonly depends_on?: readonly string[]
}

export interface Input {
  readonly key: string
  readonly type: ValueType
  readonly label: string
  readonly required: boolean
}

export interface Output {
  readonly key: string
  readonly type: ValueType
  readonly label: string
}

export const BLOCK_KINDS = ['search_select', 'text', 'number', 'date'] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

export const VALUE_TYPES = ['number', 'date', 'boolean', 'text'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

/** Of field types, blocks, inputs and outputs. */
export const PLUGIN_KEY = /^[a-z][a-z0-9_]{0,39}$/
