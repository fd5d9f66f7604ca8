import type { SigninClaim } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import { claimsOfRequest, validateAnswers } from './claims.ts'

const bare = { label: null, suggest: null, required: false, verified: false, verified_max_age_days: null }
const claim = { ...bare, type: 'text', required: true }
const mail: SigninClaim = { ...bare, name: 'mail', type: 'email' }

function ask(sent: unknown, { own = [mail], scopes = [] as string[], mode = 'signin' as const } = {}) {
  return claimsOfRequest(own, { claims: sent === null ? null : JSON.stringify(sent), scopes, mode })
}

test.each(['mail', 'constructor', 'toString', '__proto__'])('the required claim %s cannot be left out', (name) => {
  const claims = [{ ...claim, name }]
  const nothing = { values: {}, attestation: {}, isPlain: true }
  expect(validateAnswers(claims, nothing)).toBe(`the claim ${name} is required`)
  expect(validateAnswers(claims, { ...nothing, values: Object.fromEntries([[name, 'text']]) })).toBeNull()
})

describe('a request', () => {
  test('adds claims of its own after those of the app', () => {
    const wish = { name: ' born ', type: 'date_of_birth', required: true, colour: 'red' }
    expect(ask([wish])).toEqual({
      ok: true,
      value: [mail, { ...bare, name: 'born', type: 'date_of_birth', required: true }],
    })
    expect(ask([wish, { name: 'born', required: false }])).toMatchObject({
      ok: true,
      value: [mail, { required: true }],
    })
  })

  test.each([
    ['no type', [{ name: 'secret' }]],
    ['no name', [{ type: 'email' }]],
    ['a file', [{ name: 'id', type: 'passport' }]],
    ['an unknown type', [{ name: 'x', type: 'shoe_size' }]],
    ['a plugin', [{ name: 'x', type: 'plugin' }]],
    ['verified of anything but an email', [{ name: 'x', type: 'text', verified: true }]],
    ['16 in all', Array.from({ length: 15 }, (_, place) => ({ name: `n${place}`, type: 'text' }))],
    ['another type for a claim of the app', [{ name: 'mail', type: 'text' }]],
  ])('cannot add a claim with %s', (_what, sent) => {
    expect(ask(sent)).toMatchObject({ ok: false })
  })

  test('asks for name and email by scope, unless the app has claims with these names', () => {
    const scopes = ['openid', 'profile', 'email', 'address']
    const name = { ...bare, name: 'name', type: 'text' }
    expect(ask(null, { scopes })).toEqual({ ok: true, value: [mail, name, { ...bare, name: 'email', type: 'email' }] })
    const own = [{ ...mail, name: 'email', required: true }]
    expect(ask(null, { own, scopes })).toEqual({ ok: true, value: [...own, name] })
  })

  test('to enrol asks for nothing', () => {
    const asked = {
      claims: JSON.stringify([{ name: 'x', type: 'text' }]),
      scopes: ['profile'],
      mode: '2fa_enroll',
    } as const
    expect(claimsOfRequest([mail], asked)).toEqual({ ok: true, value: [] })
  })
})
