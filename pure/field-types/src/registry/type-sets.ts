import type { InheritedColumns, Registry } from './registry.ts'

/** The types of request rows: every type except a choice without options of its own. */
export function requestableTypes(registry: Registry): readonly string[] {
  return typesWhere(registry, isRequestable)
}

/** The types of flow steps: the requestable types, and the choices whose options the step supplies. */
export function flowTypes(registry: Registry): readonly string[] {
  return typesWhere(registry, (columns) => isRequestable(columns) || isChoice(columns))
}

/** The types of claims of a sign-in app: the requestable types on the inline lane. */
export function claimableTypes(registry: Registry): readonly string[] {
  return typesWhere(registry, (columns) => isRequestable(columns) && columns.lane === 'inline')
}

/** Values of these types are fetched from a file route instead of being part of the answer. */
export function isBinary({ lane }: Pick<InheritedColumns, 'lane'>): boolean {
  return lane === 'photo' || lane === 'document'
}

/**
 * The answer of the file route for a source that is not private: the envelope where the type stores several files or
 * metadata, otherwise the bytes of its one file.
 */
export function clearAnswerForm({ input, fields }: Pick<InheritedColumns, 'input' | 'fields'>): 'envelope' | 'bytes' {
  return input === 'pages' || (fields !== null && fields.length > 0) ? 'envelope' : 'bytes'
}

function typesWhere(registry: Registry, holds: (columns: InheritedColumns) => boolean): readonly string[] {
  return Array.from(registry.nodes.values())
    .filter((node) => holds(node.inherited))
    .map((node) => node.row.type)
}

function isRequestable(columns: InheritedColumns): boolean {
  return !isChoice(columns) || (columns.options ?? []).length > 0
}

function isChoice({ input }: InheritedColumns): boolean {
  return input === 'list' || input === 'multilist'
}
