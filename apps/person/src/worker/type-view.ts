import { readRegistry, type Registry, resolveType } from '@sealpost/field-types'
import type { FieldTypes } from '@sealpost/sdk'

/** How values of a type are typed in and drawn; from the registry. */
export interface TypeView {
  readonly type: string
  readonly input: string | null
  readonly isFile: boolean
  readonly options: readonly string[]
  /** The parts of a composite, or what is said about a file. */
  readonly entries: readonly EntryView[]
}

export interface EntryView {
  readonly key: string
  readonly input: string | null
  readonly isRequired: boolean
  readonly options: readonly string[]
}

export function typeView(types: FieldTypes, type: string): TypeView {
  const { input, options, fields } = resolveType(registryOf(types), type)
  const entries = (fields ?? []).map((entry) => ({
    key: entry.key,
    input: entry.input,
    isRequired: entry.required,
    options: entry.options ?? [],
  }))
  return { type, input, isFile: types.isFile(type), options: options ?? [], entries }
}

const registries = new WeakMap<FieldTypes, Registry>()

/** Of the same rows as `FieldTypes`, which does not say how parts are typed in. */
function registryOf(types: FieldTypes): Registry {
  const known = registries.get(types) ?? readRegistry(types.rows)
  registries.set(types, known)
  return known
}
