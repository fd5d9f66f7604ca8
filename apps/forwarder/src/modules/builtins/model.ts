import type { OpeningKey } from '@sealpost/crypto'
import type { Result } from '@sealpost/kernel'
import type { PluginDescription, PluginQuestion, RefreshOutcome } from '@sealpost/protocol'

export interface Builtins {
  describe(key: string): RefreshOutcome
  /** The sealed reply to a sealed question. */
  answer(key: string, request: string): Promise<Result<string, 'key_unknown' | 'malformed'>>
}

/** A built-in without the keys, which all of them share. */
export interface Builtin {
  readonly description: Omit<PluginDescription, 'public_key' | 'key_rollovers'>
  /** Null for a question that does not fit the description. */
  answer(question: PluginQuestion): Reply | null
}

export type Reply =
  | { readonly options: readonly Option[]; readonly more: boolean }
  | { readonly outputs: Readonly<Record<string, string | number | null>> }
  | { readonly picks_invalid: true }

export interface Option {
  readonly id: string
  readonly label: string
}

export interface BuiltinKey {
  readonly opening: OpeningKey
  readonly publicKey: string
}
