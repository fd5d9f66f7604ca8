import { buildRegistry, claimableTypes, seedRows } from '@sealpost/field-types'
import { expect, test } from 'vitest'
import { validateClaims } from './claims.ts'

const country = {
  label: 'Country',
  blocks: [{ key: 'country', kind: 'search_select', label: 'Country' }],
  inputs: [],
  outputs: [{ key: 'code', type: 'text', label: 'Code' }],
} as const
const facts = {
  claimable: claimableTypes(buildRegistry(seedRows)),
  plugins: new Map([
    ['rates', { name: 'Rates', host: 'rates.example.com', fieldTypes: new Map([['country', country]]) }],
  ]),
}
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
  expect(validateClaims([asked, { name: 'born', type: 'date_of_birth', plugin: null }], facts)).toEqual({
    ok: true,
    value: [
      { ...asked, name: 'mail', suggest: null },
      { ...plain, name: 'born', type: 'date_of_birth' },
    ],
  })
  expect(validateClaims(undefined, facts)).toEqual({ ok: true, value: [] })
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
  expect(validateClaims(claims, facts)).toMatchObject({ ok: false, refusal: { key: 'oauth_apps.claims_invalid' } })
})

test('a claim that a plugin answers has the description of the plugin', () => {
  const claim = { name: 'land', type: 'plugin', plugin: { plugin_id: 'rates', field_type: 'country' } }
  expect(validateClaims([claim], facts)).toMatchObject({
    ok: true,
    value: [
      {
        name: 'land',
        type: 'plugin',
        plugin: {
          plugin_id: 'rates',
          plugin_name: 'Rates',
          field_type: 'country',
          snapshot: { plugin_name: 'Rates', host: 'rates.example.com', ...country },
        },
      },
    ],
  })
})

test.each([
  { name: 'x', type: 'plugin' },
  { ...email, plugin: { plugin_id: 'rates', field_type: 'country' } },
  { name: 'x', type: 'plugin', plugin: { plugin_id: 'others', field_type: 'country' } },
  { name: 'x', type: 'plugin', plugin: { plugin_id: 'rates', field_type: 'none' } },
])('%j has a refusal of its own', (claim) => {
  expect(validateClaims([claim], facts)).toMatchObject({
    ok: false,
    refusal: { key: 'oauth_apps.claim_config_plugin_invalid', reason: expect.stringContaining('claims[0]') },
  })
})

test('a claim that a plugin answers is never verified', () => {
  const claim = { name: 'land', type: 'plugin', verified: true, plugin: { plugin_id: 'rates', field_type: 'country' } }
  expect(validateClaims([claim], facts)).toMatchObject({ ok: false, refusal: { key: 'oauth_apps.claims_invalid' } })
})
