import { Secret } from '@sealpost/kernel'
import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCryptoPlatform } from '../platform.ts'
import { readRecoveryCode, writeRecoveryCode } from './recovery-code.ts'

const platform = createCryptoPlatform(globalThis)
const masters = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Uint8Array.from(bytes))
const write = async (master: Uint8Array<ArrayBuffer>) =>
  (await writeRecoveryCode(platform, new Secret(master))).reveal()
const read = (text: string) => readRecoveryCode(platform, new Secret(text))

test(
  'a code has fourteen groups of letters that cannot be confused, and gives the same bytes',
  propertyLimits,
  async () => {
    await fc.assert(
      fc.asyncProperty(masters, async (master) => {
        const code = await write(master)
        expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){13}[0-9A-HJKMNP-TV-Z]{4}$/)
        const sloppy = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('1', 'l').replaceAll('0', 'o')}`
        for (const text of [code, sloppy]) {
          const found = await read(text)
          expect(found.ok && found.value.reveal()).toEqual(master)
        }
      }),
      propertySettings,
    )
  },
)

test('one wrong, missing or additional letter is found', propertyLimits, async () => {
  await fc.assert(
    fc.asyncProperty(masters, fc.nat(55), async (master, at) => {
      const letters = (await write(master)).replaceAll('-', '')
      const other = letters[at] === '7' ? '8' : '7'
      const wrong = letters.slice(0, at) + other + letters.slice(at + 1)
      for (const text of [wrong, letters.slice(1), `${letters}A`, `${letters.slice(1)}*`])
        expect(await read(text)).toEqual({ ok: false, refusal: 'not_a_recovery_code' })
    }),
    propertySettings,
  )
})
