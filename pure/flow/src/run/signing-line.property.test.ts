import { propertyRuns } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineState, signingLine, type SigningLine } from '../index.ts'

test(
  'the signing line holds every signature once and keeps the order of each output [SIGN-03]',
  { timeout: 1_200_000 },
  () => {
    const signers = fc.uniqueArray(
      fc.record({
        party: fc.constantFrom('us', 'them', 'others', '__proto__', ''),
        action: fc.constantFrom('sign', 'accept'),
      }),
      {
        selector: ({ party }) => party,
        maxLength: 6,
      },
    )
    const outputs = fc.uniqueArray(fc.record({ output_key: fc.string(), signers }), {
      selector: ({ output_key }) => output_key,
      maxLength: 6,
    })
    fc.assert(
      fc.property(outputs, (made) => {
        const line = signingLine(made)
        expect(line.map((step) => step.position)).toEqual(line.map((_, place) => place + 1))
        for (const { output_key, signers: own } of made) {
          const steps = line.filter((step) => step.output_key === output_key)
          expect(steps.map(({ party, action }) => ({ party, action }))).toEqual(own)
        }
        expect(line).toHaveLength(made.reduce((sum, output) => sum + output.signers.length, 0))
        expectOneOpenStepAtATime(line)
      }),
      { numRuns: propertyRuns() },
    )
  },
)

function expectOneOpenStepAtATime(line: SigningLine): void {
  for (let acted = 0; acted <= line.length; acted += 1) {
    const { open, isComplete } = lineState(line, acted)
    expect(open?.position ?? null).toBe(acted < line.length ? acted + 1 : null)
    expect(isComplete).toBe(acted === line.length)
  }
  expect(new Set(lineState(line, line.length).sealed)).toEqual(new Set(line.map((step) => step.output_key)))
}
