import { subconditions } from './evaluate-condition.ts'
import { branches, operands } from './operands.ts'
import { isRawObject, type RawObject } from './raw.ts'

const EXPRESSION_TYPES = new Set<unknown>(['lit', 'ref', 'today', 'if', 'concat', 'datediff', 'math'])

interface Part {
  readonly kind: 'expression' | 'condition'
  readonly node: unknown
}

/** Every key that an expression or condition mentions, also in branches not taken, each once, by first mention. */
export function keysReadBy(tree: unknown): readonly string[] {
  const isExpression = isRawObject(tree) && EXPRESSION_TYPES.has(tree['type'])
  return keysOf({ kind: isExpression ? 'expression' : 'condition', node: tree })
}

export function keysReadByExpression(expression: unknown): readonly string[] {
  return keysOf({ kind: 'expression', node: expression })
}

export function keysReadByCondition(condition: unknown): readonly string[] {
  return keysOf({ kind: 'condition', node: condition })
}

function keysOf(root: Part): readonly string[] {
  const keys = new Set<string>()
  const seen = new Set<RawObject>()
  const waiting = [root]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (!isRawObject(part.node) || seen.has(part.node)) continue
    seen.add(part.node)
    const key = part.kind === 'expression' ? referredKey(part.node) : part.node['field']
    if (typeof key === 'string') keys.add(key)
    for (const next of inside(part.kind, part.node).toReversed()) waiting.push(next)
  }
  return [...keys]
}

function referredKey(node: RawObject): unknown {
  return node['type'] === 'ref' ? node['key'] : null
}

function inside(kind: Part['kind'], node: RawObject): readonly Part[] {
  if (kind === 'condition') return subconditions(node).map((child) => ({ kind, node: child }))
  if (node['type'] !== 'if') return operands(node).map((child) => ({ kind, node: child }))
  const cases = branches(node).flatMap((branch): Part[] => [
    { kind: 'condition', node: branch['when'] },
    { kind: 'expression', node: branch['then'] },
  ])
  return [...cases, { kind, node: node['else'] }]
}
