import { describe, expect, test } from 'vitest'
import type { KnownCaller, UnknownCaller } from './callers.ts'
import { expectCell, type Place } from './expectation.ts'
import { frontDoor, open, region } from './who.ts'

const owner = { name: 'northwind', type: 'company', home: 'eu', userId: 'u' } as const
const service: KnownCaller = { name: 'service', token: 't', is: ['service'], by: 'client', owner }
const portal: KnownCaller = { name: 'portal', token: 't', is: ['portal'], by: 'session', owner }
const noToken: UnknownCaller = { name: 'no token', token: null, refusal: 'auth.token_missing' }
const data = { path: '/api/company-data/things' }
const account = { path: '/api/account/things' }
const everywhere: readonly Place[] = ['home', 'front door', 'elsewhere']

describe('a route of a region', () => {
  test('serves the named callers at home, and answers 421 to every valid token elsewhere', () => {
    const expected = everywhere.map((place) => expectCell(data, region('service'), service, place))
    expect(expected).toEqual(['passes', rebase(), rebase()])
    expect(expectCell(data, region('service'), portal, 'elsewhere')).toEqual(rebase())
  })

  test('requires a token before it answers 421', () => {
    const missing = { status: 401, key: 'auth.token_missing' }
    const expected = everywhere.map((place) => expectCell(data, region('service'), noToken, place))
    expect(expected).toEqual([missing, missing, missing])
  })

  test('refuses a revoked token at home only', () => {
    const revoked: UnknownCaller = { name: 'revoked', token: 't', refusal: 'auth.token_invalid', was: service }
    const expected = everywhere.map((place) => expectCell(data, region('service'), revoked, place))
    expect(expected).toEqual([{ status: 401, key: 'auth.token_invalid' }, rebase(), rebase()])
  })

  test('distinguishes a session from a wrong client at the data API only', () => {
    expect(expectCell(data, region('service'), portal, 'home')).toEqual({ status: 403, key: 'company_data.no_client' })
    const forbidden = { status: 403, key: 'auth.client_endpoint_forbidden' }
    expect(expectCell(account, region('account'), portal, 'home')).toEqual(forbidden)
    expect(expectCell(data, region('account'), service, 'home')).toEqual(forbidden)
  })
})

test('a route of the front door answers 404 in a region, and no caller is redirected to it', () => {
  const nothing = { status: 404, key: 'request.not_found' }
  const expected = everywhere.map((place) => expectCell(account, open('front door'), noToken, place))
  expect(expected).toEqual([nothing, 'passes', nothing])
  expect(expectCell(account, frontDoor('portal'), portal, 'home')).toEqual(nothing)
  expect(expectCell(account, frontDoor('portal'), portal, 'front door')).toBe('passes')
  expect(everywhere.map((place) => expectCell(account, open('both'), noToken, place))).toEqual(Array(3).fill('passes'))
})

test('a route that both serve is served by the front door to the named callers, after the home has checked the token', () => {
  const row = { at: 'both', may: ['service'] } as const
  const revoked: UnknownCaller = { name: 'revoked', token: 't', refusal: 'auth.token_invalid', was: service }
  const invalid = { status: 401, key: 'auth.token_invalid' }
  const forbidden = { status: 403, key: 'auth.client_endpoint_forbidden' }
  expect(everywhere.map((place) => expectCell(account, row, service, place))).toEqual(['passes', 'passes', rebase()])
  expect(everywhere.map((place) => expectCell(account, row, portal, place))).toEqual([forbidden, forbidden, rebase()])
  expect(everywhere.map((place) => expectCell(account, row, revoked, place))).toEqual([invalid, invalid, rebase()])
  const over: UnknownCaller = { ...revoked, was: portal }
  expect(everywhere.map((place) => expectCell(account, row, over, place))).toEqual([invalid, forbidden, rebase()])
})

function rebase() {
  return { status: 421, key: 'region.rebase_required' }
}
