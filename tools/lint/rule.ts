import { type Place, placeOf } from './place.ts'

/** The part of oxlint's plugin interface (ESLint's) that these rules use. */
export interface Rule {
  readonly meta: { readonly docs: { readonly description: string } }
  create(context: Context): Visitors
}

export interface Context {
  readonly filename: string
  readonly sourceCode: SourceCode
  report(problem: { readonly node: Spanned; readonly message: string }): void
}

export interface SourceCode {
  readonly text: string
  getAllComments(): readonly Comment[]
  readonly scopeManager: { readonly globalScope: { readonly through: readonly Reference[] } | null }
}

export interface Spanned {
  readonly range: readonly [number, number]
  readonly loc: unknown
}

export interface Comment extends Spanned {
  readonly value: string
}

/** A name that the file uses without declaring it. */
export interface Reference {
  readonly identifier: Spanned & { readonly name: string; readonly parent: { readonly type: string } }
}

export interface Node extends Spanned {
  readonly type: string
  readonly parent?: Node
}

export interface Named extends Node {
  readonly name: string
}

export interface MemberExpression extends Node {
  readonly object: Partial<Named> & Node
  readonly property: Partial<Named> & Node
}

export interface Call extends Node {
  readonly callee: Partial<MemberExpression> & Partial<Named> & Node
  readonly arguments: readonly Node[]
}

/** The first argument of `new Promise`. */
export interface Executor extends Node {
  readonly params?: readonly Partial<Named>[]
}

export interface ImportSpecifier extends Node {
  readonly imported?: { readonly name?: string; readonly value?: string }
  readonly local: Partial<Named> & { readonly value?: string }
  readonly importKind?: 'type' | 'value'
  readonly exportKind?: 'type' | 'value'
}

export interface ModuleDeclaration extends Node {
  readonly source: (Node & { readonly value?: unknown }) | null
  readonly importKind?: 'type' | 'value'
  readonly exportKind?: 'type' | 'value'
  readonly specifiers?: readonly ImportSpecifier[]
}

/** A part of a node of JSX that may be a text. */
export interface JsxValue extends Node {
  readonly value?: unknown
  readonly expression?: JsxValue
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
}

export interface JsxAttribute extends Node {
  readonly name: { readonly name?: string }
  readonly value: JsxValue | null
  readonly parent?: Node & { readonly name?: { readonly name?: string } }
}

export interface Visitors {
  Program?(node: Node): void
  ImportDeclaration?(node: ModuleDeclaration): void
  ExportNamedDeclaration?(node: ModuleDeclaration): void
  ExportAllDeclaration?(node: ModuleDeclaration): void
  ImportExpression?(node: ModuleDeclaration): void
  MemberExpression?(node: MemberExpression): void
  CallExpression?(node: Call): void
  NewExpression?(node: Call): void
  AwaitExpression?(node: Node): void
  Literal?(node: Node & { readonly value: unknown }): void
  JSXText?(node: Node & { readonly value: string }): void
  JSXAttribute?(node: JsxAttribute): void
  JSXExpressionContainer?(node: Node & { readonly expression: JsxValue }): void
  TemplateElement?(node: Node & { readonly value: { readonly raw: string } }): void
}

type Report = (node: Spanned, message: string) => void

/** A rule whose visitors know the position of the file in the repository. */
export function rule(description: string, create: (place: Place, report: Report, context: Context) => Visitors): Rule {
  return {
    meta: { docs: { description } },
    create: (context) =>
      create(placeOf(context.filename), (node, message) => context.report({ node, message }), context),
  }
}
