import { decline } from '@sealpost/kernel'

/** From the tree's root, as in `['args', 0, 'cases', 1, 'when']`. */
export type Path = readonly (string | number)[]

export type ProblemReason =
  | 'too_deep'
  | 'expression_invalid'
  | 'condition_invalid'
  | 'key_invalid'
  | 'key_duplicate'
  | 'result_type_invalid'
  | 'shown_on_invalid'
  | 'ref_unknown'
  | 'type_mismatch'

export interface ExpressionProblem<Reason extends ProblemReason = ProblemReason> {
  readonly reason: Reason
  readonly path: Path
  readonly message: string
}

export function refuse<Reason extends ProblemReason>(
  reason: Reason,
  path: Path,
  message: string,
): { readonly ok: false; readonly refusal: ExpressionProblem<Reason> } {
  return decline({ reason, path, message })
}

/** `args[0].cases[1].when`; empty for the root. */
export function formatPath(path: Path): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return text.startsWith('.') ? text.slice(1) : text
}
