import { dirname, join } from 'node:path'
import {
  type Binding,
  findBinding,
  nodeIn,
  nodesIn,
  type Scope,
  type Source,
  type SyntaxNode,
  textIn,
} from './sources.ts'

/** The possible values of a text, one for each way through conditions and loops; null when unknown. */
type Texts = readonly string[] | null

const MOST_TEXTS = 200

/** Evaluates an expression to its possible texts; null when they are known only at run time. */
export function textsOf(node: SyntaxNode, scope: Scope, source: Source, sources: ReadonlyMap<string, Source>): Texts {
  const reading = (inner: SyntaxNode | null, at: Scope = scope): Texts =>
    inner === null ? null : textsOf(inner, at, source, sources)
  switch (node.type) {
    case 'Literal':
      return oneText(textIn(node, 'value'))
    case 'TemplateLiteral':
      return templateTexts(node, reading)
    case 'BinaryExpression':
      return textIn(node, 'operator') === '+'
        ? joined([reading(nodeIn(node, 'left')), reading(nodeIn(node, 'right'))])
        : null
    case 'ConditionalExpression':
      return either([reading(nodeIn(node, 'consequent')), reading(nodeIn(node, 'alternate'))])
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return reading(nodeIn(node, 'expression'))
    case 'Identifier': {
      const binding = findBinding(scope, textIn(node, 'name') ?? '')
      return binding === null ? null : boundTexts(binding, source, sources)
    }
    case 'MemberExpression':
      return memberTexts(node, scope, reading)
    case 'CallExpression':
      return calledTexts(node, scope, reading)
    default:
      return null
  }
}

type Reading = (node: SyntaxNode | null, scope?: Scope) => Texts

function boundTexts(binding: Binding, source: Source, sources: ReadonlyMap<string, Source>): Texts {
  switch (binding.kind) {
    case 'value':
      return textsOf(binding.node, binding.scope, source, sources)
    case 'each':
      return either(listed(binding.node, binding.scope).map(([node, at]) => textsOf(node, at, source, sources)))
    case 'parameter': {
      const calls = source.calls.filter(({ callee }) => callee === binding.functionName)
      const given = calls.map(({ args, scope }) => ({ node: args[binding.place], scope }))
      return either(given.map(({ node, scope }) => (node === undefined ? null : textsOf(node, scope, source, sources))))
    }
    case 'import': {
      const file = join(dirname(source.file), binding.from)
      const origin = binding.from.startsWith('.') ? sources.get(file) : undefined
      const exported = origin === undefined ? null : findBinding(origin.top, binding.name)
      return origin === undefined || exported === null ? null : boundTexts(exported, origin, sources)
    }
    case 'function':
      return null
  }
}

function templateTexts(node: SyntaxNode, reading: Reading): Texts {
  const quasis = nodesIn(node, 'quasis').map((quasi): Texts => {
    const value = quasi['value']
    const isCooked = typeof value === 'object' && value !== null && 'cooked' in value
    return isCooked && typeof value.cooked === 'string' ? [value.cooked] : null
  })
  const filled = nodesIn(node, 'expressions').map((expression) => reading(expression))
  return joined(quasis.flatMap((quasi, place) => (place < filled.length ? [quasi, filled[place] ?? null] : [quasi])))
}

/** `TABLE.name` is one member of a constant object, `TABLE[name]` any of them. */
function memberTexts(node: SyntaxNode, scope: Scope, reading: Reading): Texts {
  const object = nodeIn(node, 'object')
  const [value, at] = object === null ? [null, scope] : constantOf(object, scope)
  if (value?.type !== 'ObjectExpression') return null
  const wanted = node['computed'] === true ? null : textIn(nodeIn(node, 'property') ?? node, 'name')
  const members = nodesIn(value, 'properties').filter((property) => {
    const key = nodeIn(property, 'key')
    return wanted === null || (key !== null && (textIn(key, 'name') ?? textIn(key, 'value')) === wanted)
  })
  return either(members.map((property) => reading(nodeIn(property, 'value'), at)))
}

/** Creates the partitions of a table, which have its columns and which only the statement that empties one names. */
const MAKES_PARTITIONS = 'createPartitions'

/** A call of a function with one expression (arguments replace its parameters), or a `join` of a list. */
function calledTexts(node: SyntaxNode, scope: Scope, reading: Reading): Texts {
  const callee = nodeIn(node, 'callee')
  if (callee?.type === 'MemberExpression') {
    const list = nodeIn(callee, 'object')
    const isJoin = textIn(nodeIn(callee, 'property') ?? callee, 'name') === 'join'
    const [separator = null] = nodesIn(node, 'arguments')
    if (!isJoin || list === null || separator === null) return null
    const members = listed(list, scope).map(([member, at]) => reading(member, at))
    return joined(members.flatMap((member, place) => (place === 0 ? [member] : [reading(separator), member])))
  }
  const binding = callee === null ? null : findBinding(scope, textIn(callee, 'name') ?? '')
  if (binding?.kind === 'import' && binding.name === MAKES_PARTITIONS) return ['']
  if (binding?.kind !== 'function' && binding?.kind !== 'value') return null
  const answer = answerOf(binding.node)
  if (answer === null) return null
  const inner: Scope = { parent: binding.scope, names: new Map() }
  const args = nodesIn(node, 'arguments')
  nodesIn(binding.node, 'params').forEach((param, place) => {
    const name = textIn(param, 'name')
    const given = args[place]
    if (name !== null && given !== undefined) inner.names.set(name, { kind: 'value', node: given, scope })
  })
  return reading(answer, inner)
}

function answerOf(node: SyntaxNode): SyntaxNode | null {
  const body = nodeIn(node, 'body')
  if (body === null || body.type !== 'BlockStatement') return body
  const [only, ...others] = nodesIn(body, 'body')
  return only?.type === 'ReturnStatement' && others.length === 0 ? nodeIn(only, 'argument') : null
}

function listed(node: SyntaxNode, scope: Scope): readonly (readonly [SyntaxNode, Scope])[] {
  const [list, at] = constantOf(node, scope)
  return list?.type === 'ArrayExpression' ? nodesIn(list, 'elements').map((member) => [member, at] as const) : []
}

/** The literal that a name refers to, without `as const` and `satisfies`. */
function constantOf(node: SyntaxNode, scope: Scope): readonly [SyntaxNode | null, Scope] {
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
    return constantOf(nodeIn(node, 'expression') ?? node, scope)
  if (node.type !== 'Identifier') return [node, scope]
  const binding = findBinding(scope, textIn(node, 'name') ?? '')
  return binding?.kind === 'value' ? constantOf(binding.node, binding.scope) : [null, scope]
}

function oneText(text: string | null): Texts {
  return text === null ? null : [text]
}

function either(choices: readonly Texts[]): Texts {
  if (choices.length === 0 || choices.includes(null)) return null
  return [...new Set(choices.flatMap((texts) => texts ?? []))]
}

function joined(pieces: readonly Texts[]): Texts {
  let texts: readonly string[] = ['']
  for (const piece of pieces) {
    if (piece === null || texts.length * piece.length > MOST_TEXTS) return null
    texts = texts.flatMap((begun) => piece.map((next) => begun + next))
  }
  return texts
}
