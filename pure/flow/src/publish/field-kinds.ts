import { accepts, effectiveType, flowTypes, isBinary, resolveType, type Registry } from '@sealpost/field-types'

const PDF_TYPE = 'pdf_document'

export function isFlowType(types: Registry, type: string): boolean {
  return flowTypes(types).includes(type)
}

/** A choice whose options the step must supply, because the type has none. */
export function needsOptions(types: Registry, type: string): boolean {
  const { options } = resolveType(types, type)
  return isChoice(types, type) && (options ?? []).length === 0
}

export function isPdfType(types: Registry, type: string): boolean {
  return accepts(types, PDF_TYPE, type)
}

/** The type of a field in expressions: everything except numbers and dates is text. */
export function fieldValueType(types: Registry, type: string): 'number' | 'date' | 'text' {
  const effective = effectiveType(types, type)
  return effective === 'number' || effective === 'date' ? effective : 'text'
}

export type FieldKind = 'file' | 'choice' | 'composite' | 'number' | 'date' | 'text'

/** The kind of a field, which decides whether it may have a default or bounds. */
export function fieldKind(types: Registry, type: string): FieldKind {
  const definition = resolveType(types, type)
  if (isBinary(definition)) return 'file'
  if (isChoice(types, type)) return 'choice'
  if (definition.input === 'composite') return 'composite'
  return fieldValueType(types, type)
}

function isChoice(types: Registry, type: string): boolean {
  const { input } = resolveType(types, type)
  return input === 'list' || input === 'multilist'
}
