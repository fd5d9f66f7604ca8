/** A node of the syntax tree: its kind, its place in the text, and members that depend on the kind. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

export interface Change {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
}
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toUpperCase: 'toLowerCase',
  toLowerCase: 'toUpperCase',
  trim: 'trimStart',
}
/** Their strings are names of files, and types do nothing. */
const NOT_INSIDE = /^(?:Import|ExportAll|TS(?!AsExpression|SatisfiesExpression|NonNullExpression))/v
const TYPES = new Set(['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeArguments'])

/** The changes of a file: at each place those that a test should notice. */
export function findChanges(node: SyntaxNode, text: string): readonly Change[] {
  if (NOT_INSIDE.test(node.type)) return []
  const inside = Object.entries(node).flatMap(([member, value]) => {
    if (TYPES.has(member) || isName(node, member)) return []
    return [value].flat().flatMap((child) => (isNode(child) ? findChanges(child, text) : []))
  })
  return [...changesOf(node, text), ...inside]
}

function changesOf(node: SyntaxNode, text: string): readonly Change[] {
  const here = (kind: string, ...replacements: readonly string[]): readonly Change[] =>
    replacements.map((replacement) => ({ kind, start: node.start, end: node.end, replacement }))
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return here('operator', ...swapOperator(node, text))
    case 'IfStatement':
    case 'ConditionalExpression':
      return replaceMember(node, 'test', 'condition', ['true', 'false'])
    case 'WhileStatement':
    case 'ForStatement':
      return replaceMember(node, 'test', 'condition', ['false'])
    case 'UnaryExpression':
      return node['operator'] === '!' ? here('negation', text.slice(node.start + 1, node.end)) : []
    case 'BlockStatement':
      return isEmpty(node, 'body') ? [] : here('block', '{}')
    case 'ArrayExpression':
      return isEmpty(node, 'elements') ? [] : here('array', '[]')
    case 'ObjectExpression':
      return isEmpty(node, 'properties') ? [] : here('object', '{}')
    case 'MemberExpression':
      return changeMember(node, text)
    case 'Literal':
      return changeLiteral(node['value']).flatMap(([kind, replacement]) => here(kind, replacement))
    case 'TemplateLiteral':
      return text.slice(node.start, node.end).includes(' ') ? [] : here('string', "''")
    default:
      return []
  }
}

/** In brackets: what stands around could bind closer. */
function swapOperator(node: SyntaxNode, text: string): readonly string[] {
  const { left, right, operator } = node
  if (!isNode(left) || !isNode(right) || typeof operator !== 'string') return []
  if (operator === '+' && (isText(left) || isText(right))) return []
  const between = text.slice(left.end, right.start)
  return (OPERATORS[operator] ?? []).map(
    (other) =>
      `(${text.slice(node.start, left.end)}${between.replace(operator, () => other)}${text.slice(right.start, node.end)})`,
  )
}

function changeMember(node: SyntaxNode, text: string): readonly Change[] {
  const { object, property, optional } = node
  if (!isNode(object) || !isNode(property)) return []
  if (optional === true) {
    const between = text.slice(object.end, property.start)
    const replacement = between.replace('?.', () => (node['computed'] === true ? '' : '.'))
    return [{ kind: 'optional', start: object.end, end: property.start, replacement }]
  }
  const { name } = property
  const other = typeof name === 'string' && Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
  return other === undefined ? [] : [{ kind: 'method', start: property.start, end: property.end, replacement: other }]
}

/** A text with a space is a sentence for people. */
function changeLiteral(value: unknown): readonly (readonly [kind: string, replacement: string])[] {
  if (typeof value === 'boolean') return [['boolean', String(!value)]]
  if (typeof value === 'number') return [['number', String(value + 1)]]
  if (typeof value !== 'string' || value.includes(' ')) return []
  return [['string', value === '' ? "'mutant'" : "''"]]
}

function replaceMember(node: SyntaxNode, member: string, kind: string, by: readonly string[]): readonly Change[] {
  const value = node[member]
  return isNode(value) ? by.map((replacement) => ({ kind, start: value.start, end: value.end, replacement })) : []
}

/** The key of a property is a name, even where it is written as a string. */
function isName(node: SyntaxNode, member: string): boolean {
  return (member === 'key' && node['computed'] !== true) || (member === 'source' && node.type.startsWith('Export'))
}

function isText({ type, value, left, right }: SyntaxNode): boolean {
  if (type === 'TemplateLiteral' || typeof value === 'string') return true
  return type === 'BinaryExpression' && [left, right].some((part) => isNode(part) && isText(part))
}

function isEmpty(node: SyntaxNode, member: string): boolean {
  const value = node[member]
  return !Array.isArray(value) || value.length === 0
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
