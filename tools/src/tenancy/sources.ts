import { parseSync } from 'vite'

/** A node of the syntax tree; its members are checked where they are read. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly [member: string]: unknown
}

/** The declaration that a name refers to. */
export type Binding =
  | { readonly kind: 'value'; readonly node: SyntaxNode; readonly scope: Scope }
  /** The variable of a `for … of` loop. */
  | { readonly kind: 'each'; readonly node: SyntaxNode; readonly scope: Scope }
  | { readonly kind: 'parameter'; readonly functionName: string; readonly place: number }
  | { readonly kind: 'function'; readonly node: SyntaxNode; readonly scope: Scope }
  | { readonly kind: 'import'; readonly from: string; readonly name: string }

export interface Scope {
  readonly parent: Scope | null
  readonly names: Map<string, Binding>
}

export interface Call {
  readonly callee: string
  readonly args: readonly SyntaxNode[]
  readonly scope: Scope
  /** The top-level function or constant that contains the call. */
  readonly inside: string
  readonly line: number
}

export interface Source {
  readonly file: string
  readonly top: Scope
  readonly calls: readonly Call[]
}

const FUNCTIONS: readonly string[] = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** The scopes and calls of a file: enough to follow a text to the call that uses it. */
export function readSource(file: string, text: string): Source {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`)
  const root: unknown = program
  if (!isNode(root)) throw new Error(`${file} has no syntax tree`)
  const calls: Call[] = []
  const top: Scope = { parent: null, names: new Map() }
  hoist(nodesIn(root, 'body'), top)
  const lineOf = (start: number): number => text.slice(0, start).split('\n').length
  for (const statement of nodesIn(root, 'body'))
    visitCalls(statement, top, nameOfStatement(statement), (call, scope, inside) => {
      const callee = nodeIn(call, 'callee')
      const name = callee?.type === 'Identifier' ? textIn(callee, 'name') : null
      if (name !== null) {
        calls.push({ callee: name, args: nodesIn(call, 'arguments'), scope, inside, line: lineOf(call.start) })
      }
    })
  return { file, top, calls }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

export function nodeIn(node: SyntaxNode, member: string): SyntaxNode | null {
  const value = node[member]
  return isNode(value) ? value : null
}

export function nodesIn(node: SyntaxNode, member: string): readonly SyntaxNode[] {
  const value = node[member]
  return Array.isArray(value) ? value.filter(isNode) : []
}

export function textIn(node: SyntaxNode, member: string): string | null {
  const value = node[member]
  return typeof value === 'string' ? value : null
}

export function findBinding(scope: Scope | null, name: string): Binding | null {
  if (scope === null) return null
  return scope.names.get(name) ?? findBinding(scope.parent, name)
}

type Visit = (call: SyntaxNode, scope: Scope, inside: string) => void

function visitCalls(node: SyntaxNode, scope: Scope, inside: string, visit: Visit): void {
  if (node.type === 'CallExpression') visit(node, scope, inside)
  const inner = scopeOf(node, scope)
  for (const value of Object.values(node)) {
    const children: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const child of children) if (isNode(child)) visitCalls(child, inner, inside, visit)
  }
}

/** The scope inside a node. */
function scopeOf(node: SyntaxNode, parent: Scope): Scope {
  const scope: Scope = { parent, names: new Map() }
  if (FUNCTIONS.includes(node.type)) {
    const own = nodeIn(node, 'id')
    const functionName = (own === null ? null : textIn(own, 'name')) ?? ''
    nodesIn(node, 'params').forEach((param, place) => {
      const name = textIn(param, 'name')
      if (name !== null) scope.names.set(name, { kind: 'parameter', functionName, place })
    })
    return scope
  }
  if (node.type === 'ForOfStatement') {
    const [declared] = nodesIn(nodeIn(node, 'left') ?? node, 'declarations')
    const name = textIn(nodeIn(declared ?? node, 'id') ?? node, 'name')
    const many = nodeIn(node, 'right')
    if (name !== null && many !== null) scope.names.set(name, { kind: 'each', node: many, scope: parent })
    return scope
  }
  if (node.type !== 'BlockStatement') return parent
  hoist(nodesIn(node, 'body'), scope)
  return scope
}

function hoist(statements: readonly SyntaxNode[], scope: Scope): void {
  for (const statement of statements) {
    const declaration = nodeIn(statement, 'declaration') ?? statement
    for (const declarator of nodesIn(declaration, 'declarations')) {
      const name = textIn(nodeIn(declarator, 'id') ?? declarator, 'name')
      const node = nodeIn(declarator, 'init')
      if (name !== null && node !== null) scope.names.set(name, { kind: 'value', node, scope })
    }
    const own = declaration.type === 'FunctionDeclaration' ? nodeIn(declaration, 'id') : null
    const functionName = own === null ? null : textIn(own, 'name')
    if (functionName !== null) scope.names.set(functionName, { kind: 'function', node: declaration, scope })
    if (statement.type === 'ImportDeclaration') hoistImports(statement, scope)
  }
}

function hoistImports(statement: SyntaxNode, scope: Scope): void {
  const from = textIn(nodeIn(statement, 'source') ?? statement, 'value')
  for (const specifier of nodesIn(statement, 'specifiers')) {
    const local = textIn(nodeIn(specifier, 'local') ?? specifier, 'name')
    const name = textIn(nodeIn(specifier, 'imported') ?? specifier, 'name')
    if (from !== null && local !== null && name !== null) scope.names.set(local, { kind: 'import', from, name })
  }
}

function nameOfStatement(statement: SyntaxNode): string {
  const declaration = nodeIn(statement, 'declaration') ?? statement
  const [declarator] = nodesIn(declaration, 'declarations')
  const id = nodeIn(declarator ?? declaration, 'id')
  return (id === null ? null : textIn(id, 'name')) ?? ''
}
