import { type Clock, type Instant, instant } from '@sealpost/kernel'

/**
 * What the directory and other regions answered about codes, for a few minutes. A key is never replaced, but an account
 * or a service may end; what was not found is asked again, for it may have been made meanwhile.
 */
export type CodeCache = Map<string, { readonly answer: object; readonly until: Instant }>

const KEPT_MS = 180_000
const REMEMBERED = 10_000

/** Asks only what is not known. */
export async function remember<T extends object>(
  { codes, clock }: { readonly codes: CodeCache; readonly clock: Clock },
  question: string,
  ask: () => Promise<T | null>,
): Promise<T | null> {
  const now = clock.now()
  const known = codes.get(question)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a question names what kind of answer it has
  if (known !== undefined && known.until > now) return known.answer as T
  const answer = await ask()
  codes.delete(question)
  if (answer === null) return null
  codes.set(question, { answer, until: instant(now + KEPT_MS) })
  for (const oldest of codes.keys()) {
    if (codes.size <= REMEMBERED) break
    codes.delete(oldest)
  }
  return answer
}
