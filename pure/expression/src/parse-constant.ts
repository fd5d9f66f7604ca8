import { accept, type Result } from '@sealpost/kernel'
import { parseExpression } from './parse-expression.ts'
import { type ExpressionProblem, refuse } from './problem.ts'
import { isOneOf, isRawObject, rawList, type RawObject } from './raw.ts'
import { type Constant, VALUE_TYPES } from './syntax.ts'

const KEY = /^[a-z][a-z0-9_]*$/
const MAX_KEY_LENGTH = 64

export function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_KEY_LENGTH && KEY.test(value)
}

export function parseConstant(raw: unknown): Result<Constant, ExpressionProblem> {
  if (!isRawObject(raw)) return refuse('expression_invalid', [], 'a constant must be an object')
  const { key, result_type } = raw
  if (!isKey(key)) {
    return refuse('key_invalid', ['key'], 'a key must start with a-z; then a-z, 0-9 and _, at most 64 characters')
  }
  if (!isOneOf(VALUE_TYPES, result_type)) {
    return refuse('result_type_invalid', ['result_type'], `result_type must be one of ${VALUE_TYPES.join(', ')}`)
  }
  const shownOn = parseShownOn(raw)
  if (!shownOn.ok) return shownOn
  const expr = parseExpression(raw['expr'])
  if (!expr.ok) return refuse(expr.refusal.reason, ['expr', ...expr.refusal.path], expr.refusal.message)
  const label = typeof raw['label'] === 'string' ? raw['label'] : ''
  return accept({ key, label, result_type, expr: expr.value, shown_on: shownOn.value })
}

/** Every valid constant, and every problem; a key may collide with a slug or with another constant. */
export function parseConstants(
  raw: unknown,
  slugs: ReadonlySet<string>,
): { readonly constants: readonly Constant[]; readonly problems: readonly ExpressionProblem[] } {
  const constants: Constant[] = []
  const problems: ExpressionProblem[] = []
  const taken = new Set(slugs)
  for (const [index, item] of rawList(raw).entries()) {
    const parsed = parseConstant(item)
    if (!parsed.ok) {
      problems.push({ ...parsed.refusal, path: [index, ...parsed.refusal.path] })
    } else if (taken.has(parsed.value.key)) {
      const message = `${parsed.value.key} is also the key of a field or of another constant`
      problems.push({ reason: 'key_duplicate', path: [index, 'key'], message })
    } else {
      taken.add(parsed.value.key)
      constants.push(parsed.value)
    }
  }
  return { constants, problems }
}

function parseShownOn(raw: RawObject): Result<readonly string[], ExpressionProblem> {
  const nodes = raw['shown_on'] ?? []
  if (!Array.isArray(nodes) || !nodes.every((node): node is string => typeof node === 'string')) {
    return refuse('shown_on_invalid', ['shown_on'], 'shown_on must be a list of step keys')
  }
  return accept(nodes)
}
