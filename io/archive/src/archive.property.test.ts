import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ARCHIVE_REFUSALS, readArchive, writeArchive } from './index.ts'

const part = fc
  .stringMatching(/^[a-z0-9_][a-z0-9_.-]{0,10}[a-z0-9_]$/)
  .filter((name) => !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/.test(name))
const entries = fc.uniqueArray(
  fc.record({
    name: fc.tuple(fc.constantFrom('', 'assets/'), part).map((parts) => parts.join('')),
    bytes: fc.uint8Array({ maxLength: 300 }),
  }),
  { maxLength: 8, selector: ({ name }) => name.replace('/', '') },
)

test('what is written is read again', propertyLimits, async () => {
  await fc.assert(
    fc.asyncProperty(
      entries.filter((list) => !list.some(({ name }) => name === 'assets')),
      async (list) => {
        const outcome = await readArchive(writeArchive(list))
        const sorted = list.toSorted((one, other) => (one.name < other.name ? -1 : 1))
        expect(outcome).toEqual({
          ok: true,
          value: sorted.map(({ name, bytes }) => ({ name, bytes: Uint8Array.from(bytes) })),
        })
      },
    ),
    propertySettings,
  )
})

test('a changed archive is refused, or is another archive without gaps; it never throws', propertyLimits, async () => {
  const original = writeArchive([
    { name: 'flow.json', bytes: Uint8Array.from(Buffer.from('{"a":1}')) },
    { name: 'assets/a.pdf', bytes: Uint8Array.from(Buffer.from('%PDF')) },
  ])
  const change = fc.tuple(fc.nat(original.length - 1), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const bytes = Uint8Array.from(original)
      for (const [at, value] of changes) bytes[at] = value
      const outcome = await readArchive(bytes)
      if (!outcome.ok) expect(Object.keys(ARCHIVE_REFUSALS)).toContain(outcome.refusal)
      else expect(outcome.value.reduce((sum, one) => sum + one.bytes.length, 0)).toBeLessThanOrEqual(original.length)
    }),
    propertySettings,
  )
})
