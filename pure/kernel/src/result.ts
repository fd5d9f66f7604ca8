/** The result of a rule: a refusal is a value, so that the caller must handle it. */
export type Result<T, Refusal> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal }

export function accept<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function decline<Refusal>(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal }
}

/** For the end of an exhaustive `switch`: a new case is a compile error here. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`)
}
