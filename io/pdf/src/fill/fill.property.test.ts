import { inspectPdf, openPdf, PDF_REFUSALS, scanTemplate } from '@sealpost/pdf-format'
import { openDice } from '@sealpost/testkit/dice'
import { propertyLimits } from '@sealpost/testkit/property-runs'
import { scaled } from '@sealpost/testkit/slowness'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillHere } from '../testing/fill.ts'
import { mutate } from '../testing/mutate.ts'
import { templateFiles } from '../testing/templates/template-files.ts'

/** `PROPERTY_RUNS=1000 npx vitest run --project unit io/pdf/src/fill/fill.property` is the full size. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 30)

const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', ' ', '\n', 'x'.repeat(2_000), '{{name}}', 'ﷺ', 'e\u{301}\u{302}', '👩‍👩‍👧', '\u{202e}abc', '\u{0}', '\u{d800}'),
)

test('any values fill any template', propertyLimits, async () => {
  const files = templateFiles()
  const values = fc.array(value, { minLength: 20, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), values, async ({ bytes, keys }, texts) => {
      const given = Object.fromEntries(keys.map((key, at) => [key, texts[at % texts.length] ?? '']))
      const start = performance.now()
      const outcome = await fillHere(bytes, given)
      expect(performance.now() - start).toBeLessThan(scaled(10_000))
      if (!outcome.ok) throw new Error(outcome.refusal)
      expect(inspectPdf(outcome.value.result)).toMatchObject({ ok: true, value: { pages: outcome.value.scan.pages } })
      const isPlain = Object.values(given).every((text) => !text.includes('{') && !text.includes('}'))
      const left = scanTemplate(outcome.value.result)
      if (isPlain) expect(left).toMatchObject({ ok: true, value: { keys: [] } })
    }),
    { numRuns: RUNS },
  )
})

test('a changed template is refused or filled, in time', propertyLimits, async () => {
  const files = templateFiles()
  const outcomes = new Map<string, number>()
  for (let run = 0; run < RUNS; run += 1) {
    const dice = openDice(run)
    const { bytes: file, keys } = dice.pick(files)
    const bytes = mutate(file, (limit) => dice.below(limit))
    const start = performance.now()
    const outcome = await fillHere(bytes, Object.fromEntries(keys.map((key) => [key, dice.pick(['Bo', 'Анна', 'דוד'])])))
    expect(performance.now() - start, `seed ${run}`).toBeLessThan(scaled(10_000))
    const key = outcome.ok ? 'filled' : outcome.refusal
    expect(['filled', ...Object.keys(PDF_REFUSALS)], `seed ${run}`).toContain(key)
    if (outcome.ok) expect(openPdf(outcome.value.result).ok, `seed ${run}`).toBe(true)
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
  }
  expect(outcomes.get('filled') ?? 0).toBeGreaterThan(0)
  expect(outcomes.get('damaged') ?? 0).toBeGreaterThan(0)
})
