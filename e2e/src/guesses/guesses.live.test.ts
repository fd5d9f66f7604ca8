import { scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { runGuesses } from './run.ts'

// The full size: `npm run hostile-inputs -- guesses --count 100000`.
test('share codes cannot be tried, by any caller and from any address', { timeout: scaled(60_000) }, async () => {
  const { statuses, answered, most } = await runGuesses({ count: 1_500, seed: 7 })
  console.log(`${answered} of 1500 guesses were answered: ${JSON.stringify(statuses)}`)
  expect(answered).toBeGreaterThanOrEqual(100)
  expect(answered).toBeLessThanOrEqual(most)
})
