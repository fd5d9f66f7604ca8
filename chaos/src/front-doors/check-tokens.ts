import { createTokenVerifier } from '@sealpost/access-token'
import { systemClock } from '@sealpost/process'
import { callWhoami, describeOutcome, type IssuedToken } from '../calls.ts'

export interface CheckedTokens {
  readonly unverified: number
  readonly duplicated: number
  readonly calls: number
  readonly calls_refused: number
}

const CALLERS = 16

/** Verifies every token with the published keys and some of them by a call to their home region. */
export async function checkTokens(
  frontDoorUrl: string,
  tokens: readonly IssuedToken[],
  calls: number,
): Promise<CheckedTokens> {
  const verifier = createTokenVerifier({
    issuer: frontDoorUrl,
    clock: systemClock,
    loadKeys: () => publishedKeys(frontDoorUrl),
  })
  let unverified = 0
  for (const { text } of tokens) {
    const isGood = await Promise.resolve(text)
      .then((token) => verifier.verify(token))
      .then(() => true)
      .catch(() => false)
    if (!isGood) unverified += 1
  }
  const every = Math.max(1, Math.floor(tokens.length / calls))
  const sample = tokens.filter((_, index) => index % every === 0)
  const duplicated = tokens.length - new Set(tokens.map(({ text }) => text)).size
  return { unverified, duplicated, calls: sample.length, calls_refused: await countRefused(sample) }
}

async function countRefused(sample: readonly IssuedToken[]): Promise<number> {
  const waiting = [...sample]
  let refused = 0
  const caller = async (): Promise<void> => {
    for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) {
      const outcome = await callWhoami(token)
      if (outcome.kind === 'done') continue
      refused += 1
      console.error(`a data call was refused: ${describeOutcome(outcome)}`)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return refused
}

async function publishedKeys(frontDoorUrl: string): Promise<Keys> {
  const answer = await fetch(`${frontDoorUrl}/oauth2/jwks`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own front door's key set
  const { keys } = (await answer.json()) as { keys: Keys }
  return keys
}

type Keys = Awaited<ReturnType<Parameters<typeof createTokenVerifier>[0]['loadKeys']>>
