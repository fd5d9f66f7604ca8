import { buildRegistry, claimableTypes, seedRows } from '@sealpost/field-types'
import { expect, test } from 'vitest'
import { validateClaims } from './claims.ts'

const claimable = claimableTypes(buildRegistry(seedRows))
const email = { name: 'mail', type: 'email' }

test('a claim is read with everything it leaves out', () => {
  const plain = { label: null, suggest: null, required: false, verified: false, verified_max_age_days: null }
  const asked = {
    name: ' mail ',
    type: 'email',
    label: 'E-mail',
    required: true,
    verified: true,
    verified_max_age_days: 30,
  }
  expect(validateClaims([asked, { name: 'born', type: 'date_of_birth', plugin: null }], claimable)).toEqual({
    ok: true,
    value: [
      { ...asked, name: 'mail', suggest: null },
      { ...plain, name: 'born', type: 'date_of_birth' },
    ],
  })
  expect(validateClaims(undefined, claimable)).toEqual({ ok: true, value: [] })
})

test.each([
  ['not a list', {}],
  ['more than 15', Array.from({ length: 16 }, (_, n) => ({ name: `n${n}`, type: 'email' }))],
  ['a name twice, apart from blanks', [email, { ...email, name: 'mail ' }]],
  ['a blank name', [{ ...email, name: '  ' }]],
  ['no name', [{ type: 'email' }]],
  ['a file', [{ name: 'id', type: 'passport' }]],
  ['a photo', [{ name: 'face', type: 'photo' }]],
  ['an unknown type', [{ name: 'x', type: 'shoe_size' }]],
  ['a choice without options', [{ name: 'x', type: 'select' }]],
  ['an unknown member', [{ ...email, colour: 'red' }]],
  ['verified of anything but an email', [{ name: 'born', type: 'date_of_birth', verified: true }]],
  ['an age of nothing', [{ ...email, verified_max_age_days: 3 }]],
  ['an age of no day', [{ ...email, verified: true, verified_max_age_days: 0 }]],
  ['half a day', [{ ...email, verified: true, verified_max_age_days: 1.5 }]],
  ['required as text', [{ ...email, required: 'yes' }]],
  ['no object', ['mail']],
])('%s is refused', (_what, claims) => {
  expect(validateClaims(claims, claimable)).toMatchObject({ ok: false, refusal: { key: 'oauth_apps.claims_invalid' } })
})

test('a claim that a plugin answers has a refusal of its own', () => {
  for (const claim of [
    { name: 'x', type: 'plugin' },
    { ...email, plugin: { plugin: 'p', field_type: 'f' } },
  ]) {
    expect(validateClaims([claim], claimable)).toMatchObject({
      ok: false,
      refusal: { key: 'oauth_apps.claim_config_plugin_invalid' },
    })
  }
})
