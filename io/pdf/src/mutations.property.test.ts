import { createHash } from 'node:crypto'
import { inspectPdf, PDF_REFUSALS } from '@sealpost/pdf-format'
import { openDice } from '@sealpost/testkit/dice'
import { propertyLimits } from '@sealpost/testkit/property-runs'
import { scaled } from '@sealpost/testkit/slowness'
import { expect, test } from 'vitest'
import { corpusFiles } from './testing/corpus/corpus.ts'
import { mutate } from './testing/mutate.ts'

/** `PROPERTY_RUNS=1000 npx vitest run --project unit io/pdf/src/mutations` is the full size. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 100)

test('a changed file is accepted or refused, in time, and never changed by the gate', propertyLimits, () => {
  const files = corpusFiles()
  const outcomes = new Map<string, number>()
  for (let run = 0; run < RUNS; run += 1) {
    const dice = openDice(run)
    const bytes = mutate(dice.pick(files).bytes, (limit) => dice.below(limit))
    const before = createHash('sha256').update(bytes).digest('hex')
    const start = performance.now()
    const outcome = inspectPdf(bytes)
    expect(performance.now() - start, `seed ${run}`).toBeLessThan(scaled(5_000))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(before)
    const key = outcome.ok ? 'accepted' : outcome.refusal
    expect(['accepted', ...Object.keys(PDF_REFUSALS)], `seed ${run}`).toContain(key)
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
  }
  // Most changes break a file; a gate that accepts or refuses everything does not look.
  expect(outcomes.get('damaged') ?? 0).toBeGreaterThan(RUNS / 4)
  expect(outcomes.get('accepted') ?? 0).toBeGreaterThan(0)
})
