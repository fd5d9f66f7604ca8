import { dirname, resolve } from 'node:path'
import type { Place } from './place.ts'
import { type ModuleDeclaration, type Node, type Rule, rule, type Visitors } from './rule.ts'

/** One `import`, `export … from` or `import()` of a file. */
export interface Import {
  readonly node: Node
  readonly specifier: string
  /** Erased at compile time. */
  readonly isTypeOnly: boolean
  readonly isReexport: boolean
  /** The imported names that exist at run time; `*` for all. */
  readonly names: readonly string[]
}

/** A rule about imports: `validate` returns the objection, or null. */
export function importRule(description: string, validate: (found: Import, place: Place) => string | null): Rule {
  return rule(description, (place, report) =>
    visitImports((found) => {
      const objection = validate(found, place)
      if (objection !== null) report(found.node, objection)
    }),
  )
}

export function visitImports(onImport: (found: Import) => void): Visitors {
  const visit = (node: ModuleDeclaration): void => {
    if (typeof node.source?.value === 'string') onImport(readImport(node, node.source.value))
  }
  return {
    ImportDeclaration: visit,
    ExportNamedDeclaration: visit,
    ExportAllDeclaration: visit,
    ImportExpression: visit,
  }
}

/** The file that a relative import names; null for an import by package name. */
export function relativeTarget(found: Import, place: Place): string | null {
  return found.specifier.startsWith('.') ? resolve(dirname(place.file), found.specifier) : null
}

/** `@scope/name` or `name` of an import by package name; null for relative paths and Node's own modules. */
export function packageName(specifier: string): string | null {
  if (specifier.startsWith('.') || specifier.startsWith('node:') || specifier.startsWith('#')) return null
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

function readImport(node: ModuleDeclaration, specifier: string): Import {
  const kept = (node.specifiers ?? []).filter((item) => item.importKind !== 'type' && item.exportKind !== 'type')
  const isTypeDeclaration = node.importKind === 'type' || node.exportKind === 'type'
  const listsOnlyTypes = (node.specifiers?.length ?? 0) > 0 && kept.length === 0
  return {
    node,
    specifier,
    isTypeOnly: isTypeDeclaration || listsOnlyTypes,
    isReexport: node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration',
    names: takesEverything(node) ? ['*'] : kept.map(takenName),
  }
}

function takesEverything(node: ModuleDeclaration): boolean {
  if (node.type === 'ExportAllDeclaration' || node.type === 'ImportExpression') return true
  return (node.specifiers ?? []).some((item) => item.type === 'ImportNamespaceSpecifier')
}

function takenName(item: NonNullable<ModuleDeclaration['specifiers']>[number]): string {
  if (item.type === 'ImportDefaultSpecifier') return 'default'
  const source = item.imported ?? item.local
  return source.name ?? source.value ?? ''
}
