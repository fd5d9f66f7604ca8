import type { ClientKind } from '@sealpost/kernel'
import { capabilities as CAPABILITIES, type Capability } from '@sealpost/protocol'
import type { CallerKind, DelegateRole, Operation } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import { type Asking, isLevelReached, validateAccess } from './access.ts'
import { missingCapability, patternsFor, readCapabilities } from './capabilities.ts'

const FORBIDDEN = 'auth.client_endpoint_forbidden'
const ALL_KINDS: readonly CallerKind[] = [
  'service_client',
  'account_client',
  'signin_app',
  'portal',
  'delegate',
  'person',
]
const KIND_OF = { svc: 'service_client', acct: 'account_client', idw: 'signin_app' } as const

const serviceClient = client('svc')
const portal = firstParty('portal')

function client(kind: ClientKind, capabilities: readonly Capability[] = []): Asking {
  return { kind: KIND_OF[kind], role: null, client: { patterns: patternsFor(kind, capabilities) } }
}

function firstParty(kind: CallerKind, role: DelegateRole | null = null): Asking {
  return { kind, role, client: null }
}

function validate(caller: Asking, path: string, method: Operation['method'] = 'GET', rest: Partial<Operation> = {}) {
  return validateAccess(caller, { path, operation: { method, callers: ALL_KINDS, ...rest } })
}

describe('patterns', () => {
  test('a service client reaches its five groups and nothing else', () => {
    const paths = ['/api/company-data/whoami', '/api/contact-fields', '/api/contact-field-types', '/api/keys/A']
    for (const path of [...paths, '/api/service-2fa/x']) expect(validate(serviceClient, path)).toBe('granted')
    for (const path of ['/api/services', '/api/account', '/api/profile', '/api/keys', '/api/oauth/userinfo'])
      expect(validate(serviceClient, path)).toBe(FORBIDDEN)
  })

  test('an account client without groups has the baseline', () => {
    for (const path of ['/api/account', '/api/profile', '/api/contact-field-types', '/api/contact-field-types/x'])
      expect(validate(client('acct'), path)).toBe('granted')
    for (const path of ['/api/account/', '/api/account/clients', '/api/profile/x', '/api/services', '/api/keys/A'])
      expect(validate(client('acct'), path)).toBe(FORBIDDEN)
  })

  test.each([
    ['service_management', ['/api/services', '/api/services/1/webhooks', '/api/account/recovery-copies']],
    ['company_profile_fields', ['/api/contact-data', '/api/contact-fields/1', '/api/photos/1']],
    ['customer_connections', ['/api/company-connections', '/api/customer/changes', '/api/keys/batch']],
    ['oauth_apps', ['/api/account/oauth-apps/1', '/api/account/recovery-key']],
    ['delegate_management', ['/api/delegates', '/api/delegates/1/services/2/key']],
  ] as const)('%s opens its paths, and they are closed without it', (name, paths) => {
    for (const path of paths) {
      expect(validate(client('acct', [name]), path)).toBe('granted')
      expect(validate(client('acct'), path)).toBe(FORBIDDEN)
    }
  })

  test('groups add up, keep the baseline and list every pattern once', () => {
    const all = patternsFor('acct', CAPABILITIES)
    expect(all).toEqual(expect.arrayContaining([...patternsFor('acct')]))
    for (const name of CAPABILITIES) expect(all).toEqual(expect.arrayContaining([...patternsFor('acct', [name])]))
    expect(new Set(all).size).toBe(all.length)
  })

  test('a sign-in app has its two paths', () => {
    expect(patternsFor('idw')).toEqual(['/api/oauth/userinfo', '/api/oauth/plugin-pass'])
  })

  test('names of groups are answered once each in canonical order; an unknown name gives null', () => {
    const names = ['oauth_apps', 'service_management', 'oauth_apps']
    expect(readCapabilities(names)).toEqual(['service_management', 'oauth_apps'])
    expect(readCapabilities([])).toEqual([])
    expect(readCapabilities(['everything'])).toBeNull()
    expect(readCapabilities(['toString'])).toBeNull()
  })
})

describe('never granted', () => {
  test.each([
    '/api/account/password',
    '/api/account/email',
    '/api/account/2fa',
    '/api/account/2fa/codes',
    '/api/account/delete-request',
    '/api/account/confirm-delete',
    '/api/account/trusted-devices/1',
    '/api/profile/migrate-region',
    '/api/profile/keys',
    '/api/account-key',
  ])('%s is closed to a client that has every pattern, and open to the portal', (path) => {
    expect(validate({ kind: 'account_client', role: null, client: { patterns: ['*'] } }, path)).toBe(FORBIDDEN)
    expect(validate(portal, path)).toBe('granted')
  })
})

describe('kinds of callers', () => {
  test('a matching pattern does not open a route that does not list this kind of caller', () => {
    expect(validate(serviceClient, '/api/company-data/whoami', 'GET', { callers: ['portal'] })).toBe(FORBIDDEN)
    const everything: Asking = { kind: 'account_client', role: null, client: { patterns: ['*'] } }
    expect(validate(everything, '/api/company-data/whoami', 'GET', { callers: ['service_client'] })).toBe(FORBIDDEN)
  })

  test('a login gets company_data.no_client on the company-data surface, and is forbidden on routes of other callers', () => {
    for (const caller of [portal, firstParty('person'), firstParty('delegate', 'admin')])
      expect(validate(caller, '/api/company-data/whoami')).toBe('company_data.no_client')
    expect(validate(portal, '/api/x', 'GET', { callers: ['person'] })).toBe(FORBIDDEN)
    expect(validate(firstParty('person'), '/api/x', 'GET', { callers: ['portal'] })).toBe(FORBIDDEN)
  })

  test('a delegate needs a route that lists delegates, an operator one that names the role', () => {
    const [admin, operator] = [firstParty('delegate', 'admin'), firstParty('delegate', 'operator')]
    expect(validate(admin, '/api/services', 'GET', { callers: ['portal'] })).toBe(FORBIDDEN)
    expect(validate(admin, '/api/services')).toBe('granted')
    expect(validate(operator, '/api/services')).toBe(FORBIDDEN)
    for (const caller of [operator, admin])
      expect(validate(caller, '/api/services', 'GET', { delegateRole: 'operator' })).toBe('granted')
  })
})

describe('methods', () => {
  test('a service client only reads the catalog and the registry', () => {
    for (const path of ['/api/contact-fields', '/api/contact-fields/1', '/api/contact-field-types']) {
      expect(validate(serviceClient, path, 'GET')).toBe('granted')
      for (const method of ['POST', 'PUT', 'DELETE'] as const)
        expect(validate(serviceClient, path, method)).toBe(FORBIDDEN)
    }
  })

  test('with the baseline an account client reads the account and the profile and changes the display name', () => {
    const caller = client('acct')
    expect(validate(caller, '/api/profile', 'PUT')).toBe('granted')
    for (const method of ['POST', 'DELETE'] as const) expect(validate(caller, '/api/profile', method)).toBe(FORBIDDEN)
    for (const method of ['POST', 'PUT', 'DELETE'] as const)
      expect(validate(caller, '/api/account', method)).toBe(FORBIDDEN)
  })

  test('with its group an account client also writes custom fields', () => {
    expect(validate(client('acct', ['company_profile_fields']), '/api/contact-fields', 'POST')).toBe('granted')
  })
})

test('a level includes itself and those below', () => {
  expect(isLevelReached('basic', 'basic')).toBe(true)
  expect(isLevelReached('enterprise', 'pro')).toBe(true)
  expect(isLevelReached('free', 'basic')).toBe(false)
})

describe('the missing capability', () => {
  const missing = (capabilities: readonly Capability[], path: string) =>
    missingCapability(patternsFor('acct', capabilities), path)

  test('is the group that opens the path, whether or not it has a route', () => {
    expect(missing([], '/api/services')).toBe('service_management')
    expect(missing(['service_management'], '/api/delegates/x/nowhere')).toBe('delegate_management')
    expect(missing([], '/api/account/recovery-copies')).toBe('service_management')
  })

  test('is none where the client has it, and where no group opens the path', () => {
    expect(missing(['oauth_apps'], '/api/account/recovery-copies')).toBe(null)
    for (const path of ['/api/account', '/api/account/password', '/api/company-data/whoami', '/api/nowhere']) {
      expect(missing([], path)).toBe(null)
    }
  })
})
