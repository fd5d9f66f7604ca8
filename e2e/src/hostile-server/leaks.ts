import type { Operator } from './operator.ts'
import type { Seen } from './proxy.ts'

/** Requests with a text that must be sealed, or with a value that the operator can open. */
export async function leaksIn(
  seen: readonly Seen[],
  operator: Operator,
  mustBeSealed: RegExp,
): Promise<readonly string[]> {
  const leaks: string[] = []
  for (const { method, path, body } of seen) {
    if (mustBeSealed.test(body)) leaks.push(`${method} ${path}: plaintext`)
    for (const wrapper of wrappersIn(body)) {
      if ((await operator.open(wrapper)) !== null) leaks.push(`${method} ${path}: sealed to the operator`)
    }
  }
  return leaks
}

function wrappersIn(body: string): readonly string[] {
  return [...body.matchAll(/"(\{\\"_enc\\":1[^}]*\})"/g)].map(([, text]) => String(JSON.parse(`"${text ?? ''}"`)))
}
