import { describe, expect, test } from 'vitest'
import type { KnownCaller, UnknownCaller } from './callers.ts'
import { expectCell, type Place } from './expectation.ts'
import { frontDoor, open, region } from './who.ts'

const owner = { name: 'northwind', type: 'company', home: 'eu', userId: 'u' } as const
const service: KnownCaller = { name: 'service', token: 't', is: ['service'], by: 'client', owner }
const portal: KnownCaller = { name: 'portal', token: 't', is: ['portal'], by: 'session', owner }
const nobody: UnknownCaller = { name: 'nobody', token: null, refusal: 'auth.token_missing' }
const data = { path: '/api/company-data/things' }
const account = { path: '/api/account/things' }
const everywhere: readonly Place[] = ['home', 'front door', 'elsewhere']

describe('a route of a region', () => {
  test('serves at home whom the row names, and sends everybody with a good token there', () => {
    const said = everywhere.map((place) => expectCell(data, region('service'), service, place))
    expect(said).toEqual(['passes', rebase(), rebase()])
    expect(expectCell(data, region('service'), portal, 'elsewhere')).toEqual(rebase())
  })

  test('asks for a token before it says where it is served', () => {
    const missing = { status: 401, key: 'auth.token_missing' }
    const said = everywhere.map((place) => expectCell(data, region('service'), nobody, place))
    expect(said).toEqual([missing, missing, missing])
  })

  test('leaves it to the home to know that a token was revoked', () => {
    const revoked: UnknownCaller = { name: 'revoked', token: 't', refusal: 'auth.token_invalid', was: service }
    const said = everywhere.map((place) => expectCell(data, region('service'), revoked, place))
    expect(said).toEqual([{ status: 401, key: 'auth.token_invalid' }, rebase(), rebase()])
  })

  test('tells a session from a wrong client at the data API only', () => {
    expect(expectCell(data, region('service'), portal, 'home')).toEqual({ status: 403, key: 'company_data.no_client' })
    const forbidden = { status: 403, key: 'auth.client_endpoint_forbidden' }
    expect(expectCell(account, region('account'), portal, 'home')).toEqual(forbidden)
    expect(expectCell(data, region('account'), service, 'home')).toEqual(forbidden)
  })
})

test('what is served at the front door is nothing elsewhere, and the other way round nobody is sent to it', () => {
  const nothing = { status: 404, key: 'request.not_found' }
  const said = everywhere.map((place) => expectCell(account, open('front door'), nobody, place))
  expect(said).toEqual([nothing, 'passes', nothing])
  expect(expectCell(account, frontDoor('portal'), portal, 'home')).toEqual(nothing)
  expect(expectCell(account, frontDoor('portal'), portal, 'front door')).toBe('passes')
  expect(everywhere.map((place) => expectCell(account, open('both'), nobody, place))).toEqual(Array(3).fill('passes'))
})

test('what both serve, the front door serves to those named and asks the home about the token', () => {
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
