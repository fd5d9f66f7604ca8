const OPERATORS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '≠',
  lt: '<',
  le: '≤',
  gt: '>',
  ge: '≥',
  in: 'is one of',
  nin: 'is none of',
  contains: 'contains',
  not_contains: 'does not contain',
}

/** A condition of a flow in one line. The wire accepts any JSON here; what is no condition always holds. */
export function conditionText(condition: unknown): string {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return 'always'
  const members: Readonly<Record<string, unknown>> = { ...condition }
  const { op, field, value } = members
  const children: readonly unknown[] = Array.isArray(members['children']) ? members['children'] : []
  const parts = children.map(conditionText)
  if (op === 'and' || op === 'or') return parts.length === 0 ? (op === 'and' ? 'always' : 'never') : joined(parts, op)
  if (op === 'not') return parts[0] === undefined ? 'never' : `not (${parts[0]})`
  const name = typeof field === 'string' ? field : '?'
  if (op === 'answered') return `${name} is answered`
  if (op === 'empty') return `${name} is empty`
  const sign = typeof op === 'string' ? OPERATORS[op] : undefined
  return sign === undefined ? 'never' : `${name} ${sign} ${valueText(value)}`
}

function joined(parts: readonly string[], op: string): string {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : parts.map((part) => `(${part})`).join(` ${op} `)
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
