import { expect, test } from 'vitest'
import { validateAnswers } from './claims.ts'

const claim = { type: 'text', label: null, suggest: null, required: true, verified: false, verified_max_age_days: null }

test.each(['mail', 'constructor', 'toString', '__proto__'])('the required claim %s cannot be left out', (name) => {
  const claims = [{ ...claim, name }]
  const nothing = { values: {}, attestation: {}, isPlain: true }
  expect(validateAnswers(claims, nothing)).toBe(`the claim ${name} is required`)
  expect(validateAnswers(claims, { ...nothing, values: Object.fromEntries([[name, 'text']]) })).toBeNull()
})
