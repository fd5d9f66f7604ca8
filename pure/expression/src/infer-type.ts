import { accept, type Result } from '@sealpost/kernel'
import { arity } from './math.ts'
import { type ExpressionProblem, type Path, refuse } from './problem.ts'
import type { Expression, MathOp, ValueType } from './syntax.ts'

/** The type of a key; null where no such key exists. A composite counts as text. */
export type TypeOf = (key: string) => ValueType | 'composite' | null

type Inferred = Result<ValueType, ExpressionProblem<'ref_unknown' | 'type_mismatch'>>

/** The type of a parsed expression, or the first place at which types or the number of arguments do not fit. */
export function inferType(expression: Expression, typeOf: TypeOf): Inferred {
  return infer(expression, [], typeOf)
}

function infer(expression: Expression, path: Path, typeOf: TypeOf): Inferred {
  switch (expression.type) {
    case 'lit':
      return accept(expression.value_type)
    case 'today':
      return accept('date')
    case 'ref':
      return inferReference(expression.key, path, typeOf)
    case 'if':
      return inferIf(expression, path, typeOf)
    case 'concat':
      return inferConcat(expression, path, typeOf)
    case 'datediff':
      return inferDatediff(expression, path, typeOf)
    case 'math':
      return inferMath(expression, path, typeOf)
  }
}

function inferReference(key: string, path: Path, typeOf: TypeOf): Inferred {
  const type = typeOf(key)
  if (type === null) return refuse('ref_unknown', path, `${key} is not a field or constant of this flow`)
  return accept(type === 'composite' ? 'text' : type)
}

function inferIf({ cases, else: otherwise }: Expression & { type: 'if' }, path: Path, typeOf: TypeOf): Inferred {
  const wanted = infer(otherwise, [...path, 'else'], typeOf)
  if (!wanted.ok) return wanted
  for (const [index, { then }] of cases.entries()) {
    const found = expectType(wanted.value, then, [...path, 'cases', index, 'then'], typeOf)
    if (!found.ok) return found
  }
  return wanted
}

function inferConcat({ parts }: Expression & { type: 'concat' }, path: Path, typeOf: TypeOf): Inferred {
  for (const [index, part] of parts.entries()) {
    const found = infer(part, [...path, 'parts', index], typeOf)
    if (!found.ok) return found
  }
  return accept('text')
}

function inferDatediff({ from, to }: Expression & { type: 'datediff' }, path: Path, typeOf: TypeOf): Inferred {
  const start = expectType('date', from, [...path, 'from'], typeOf)
  if (!start.ok) return start
  const end = expectType('date', to, [...path, 'to'], typeOf)
  return end.ok ? accept('number') : end
}

function inferMath({ op, args }: Expression & { type: 'math' }, path: Path, typeOf: TypeOf): Inferred {
  const { least, most } = argumentCount(op)
  if (args.length < least || args.length > most) {
    const wanted = most === least ? `exactly ${least}` : `at least ${least}`
    return refuse('type_mismatch', path, `${op} takes ${wanted} arguments; there are ${args.length}`)
  }
  for (const [index, arg] of args.entries()) {
    const found = expectType('number', arg, [...path, 'args', index], typeOf)
    if (!found.ok) return found
  }
  return accept('number')
}

function argumentCount(op: MathOp): { readonly least: number; readonly most: number } {
  const fixed = arity[op]
  if (fixed !== null) return { least: fixed, most: fixed }
  return { least: op === 'max' || op === 'min' ? 1 : 2, most: Infinity }
}

function expectType(wanted: ValueType, expression: Expression, path: Path, typeOf: TypeOf): Inferred {
  const found = infer(expression, path, typeOf)
  if (!found.ok || found.value === wanted) return found
  return refuse('type_mismatch', path, `${wanted} is expected here; this is ${found.value}`)
}
