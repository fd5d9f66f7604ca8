import { expect, test } from 'vitest'
import { requireCardId, requireChallenge } from './proof.ts'

const CARD_ID = '019a0000-0000-7000-8000-00000000aaaa'
const DIGEST = 'ab'.repeat(32)
const CHALLENGE = 'A'.repeat(43)
const STRANGE = { failure: { kind: 'own', key: 'strange_challenge' } }

test.each([CARD_ID, DIGEST, '', `${CHALLENGE}\n`, `${CHALLENGE}A`])('%j is no challenge of 32 bytes', (text) => {
  expect(() => requireChallenge(text)).toThrow(expect.objectContaining(STRANGE))
  expect(requireChallenge(CHALLENGE)).toBe(CHALLENGE)
})

test.each([CHALLENGE, DIGEST, '', CARD_ID.toUpperCase(), `${CARD_ID}0`])('%j is no id of a sign-in', (text) => {
  expect(() => requireCardId(text)).toThrow(expect.objectContaining(STRANGE))
  expect(requireCardId(CARD_ID)).toBe(CARD_ID)
})
