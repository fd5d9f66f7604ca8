import { expect, test } from 'vitest'
import { validateCapabilities, validateAccountClient } from './account-client.ts'

const fine = { name: 'Importer', capabilities: [] }

test.each([
  [{ capabilities: [] }, 'name_invalid'],
  [{ ...fine, name: 7 }, 'name_invalid'],
  [{ ...fine, name: ' \u200b\n' }, 'name_invalid'],
  [{ ...fine, name: 'x'.repeat(201) }, 'name_invalid'],
  [{ name: 'Importer' }, 'capabilities_invalid'],
  [{ ...fine, capabilities: 'oauth_apps' }, 'capabilities_invalid'],
  [{ ...fine, capabilities: ['oauth_apps', 'everything'] }, 'capabilities_invalid'],
  [{ ...fine, capabilities: [null] }, 'capabilities_invalid'],
  [{ ...fine, redirect_uri: '/callback' }, 'redirect_uri_invalid'],
  [{ ...fine, redirect_uri: 1 }, 'redirect_uri_invalid'],
  [{ ...fine, purpose: '' }, 'purpose_invalid'],
  [{ ...fine, purpose: '  ' }, 'purpose_invalid'],
  [{ ...fine, purpose: 'Upper' }, 'purpose_invalid'],
  [{ ...fine, purpose: 'a'.repeat(65) }, 'purpose_invalid'],
  [{ ...fine, purpose: 5 }, 'purpose_invalid'],
  [{ ...fine, purpose: 'crm:' }, 'purpose_reserved'],
  [{ ...fine, purpose: 'shopify:shop' }, 'purpose_reserved'],
])('%j is refused with %s', (body, key) => {
  expect(validateAccountClient(body)).toEqual({ ok: false, refusal: `account_clients.${key}` })
})

test('capabilities are folded and come back in one order', () => {
  const given = ['delegate_management', 'oauth_apps', 'delegate_management', 'service_management']
  expect(validateCapabilities({ capabilities: given })).toEqual({
    ok: true,
    value: {
      capabilities: ['service_management', 'oauth_apps', 'delegate_management'],
      redirectUri: undefined,
    },
  })
})

test('a purpose that only begins like a reserved one is free; null and none are the same', () => {
  expect(validateAccountClient({ ...fine, purpose: 'crm' })).toMatchObject({ ok: true, value: { purpose: 'crm' } })
  expect(validateAccountClient({ ...fine, purpose: 'a.b_c:d-9' })).toMatchObject({ ok: true })
  for (const body of [fine, { ...fine, purpose: null }]) {
    expect(validateAccountClient(body)).toMatchObject({ ok: true, value: { purpose: null } })
  }
})

test('a managed client has a reserved purpose and no other', () => {
  expect(validateAccountClient({ ...fine, purpose: 'crm:sync' }, true)).toMatchObject({ ok: true })
  for (const purpose of [null, 'sync'])
    expect(validateAccountClient({ ...fine, purpose }, true)).toMatchObject({ ok: false })
})
