import { harborline, northwind } from '@sealpost/testkit'
import { askToken, callWithOneRetry, describeOutcome, type IssuedToken } from '../calls.ts'

/** Callers that request tokens one at a time until `end`. */
export interface TokenLoad {
  readonly tokens: readonly IssuedToken[]
  readonly counts: { readonly retried: number; readonly lost: number }
  end(): Promise<void>
}

const CALLERS = 24

export function startTokenLoad(frontDoorUrl: string, callers: number = CALLERS): TokenLoad {
  const tokens: IssuedToken[] = []
  const counts = { retried: 0, lost: 0 }
  const run = { isEnding: false }
  const caller = async (_: unknown, number: number): Promise<void> => {
    const company = number % 2 === 0 ? northwind : harborline
    while (!run.isEnding) {
      const outcome = await callWithOneRetry(
        () => askToken(frontDoorUrl, company),
        () => (counts.retried += 1),
      )
      if (outcome.kind === 'done') {
        tokens.push(outcome.value)
      } else {
        counts.lost += 1
        console.error(`a token request was lost: ${describeOutcome(outcome)}`)
      }
    }
  }
  const running = Promise.all(Array.from({ length: callers }, caller))
  return {
    tokens,
    counts,
    async end() {
      run.isEnding = true
      await running
    },
  }
}
