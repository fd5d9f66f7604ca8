import { expect, test } from 'vitest'
import { ApiError, refuse, oauthErrorBody } from './api-error.ts'
import { errorAreas } from './areas.ts'
import { errorCatalog, isErrorKey } from './catalog.ts'
import type { ErrorEntry } from './entry.ts'

const entries: readonly (readonly [string, ErrorEntry])[] = Object.entries(errorCatalog)

test('the areas and the catalog hold the same keys, each once', () => {
  const fromAreas = Object.values(errorAreas).flatMap((area) => Object.keys(area.entries))
  expect(fromAreas.toSorted()).toEqual(Object.keys(errorCatalog).toSorted())
})

test.each(entries)('%s says what happened and what to do', (key, entry) => {
  expect(key).toMatch(/^[a-z0-9_]+\.[a-z0-9_]+$/)
  expect(entry.sentence).toMatch(/^[A-Z].*[^.]$/)
  expect(entry.remedy).toMatch(/^[A-Z`].*\.$/)
  expect(entry.remedy).not.toBe(entry.sentence)
})

test('members that a key adds never hide the two that every body has', () => {
  for (const [, entry] of entries) {
    expect(Object.keys(entry.details?.properties ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^error(_key)?$/)]),
    )
  }
})

test('an OAuth key answers 400 or 401 in the shape of RFC 6749', () => {
  const refusal = refuse('oauth.bad_client')
  expect(refusal.status).toBe(401)
  expect(oauthErrorBody(refusal)).toEqual({
    error: 'invalid_client',
    error_description: errorCatalog['oauth.bad_client'].sentence,
    error_key: 'oauth.bad_client',
  })
})

test('an error without an OAuth code keeps the house shape at an OAuth endpoint', () => {
  const refusal = refuse('region.rebase_required', { api_url: 'https://eu.sealpost.example' })
  expect(oauthErrorBody(refusal)).toEqual(refusal.body())
})

test('a refusal carries the status, sentence, details and Retry-After of its key', () => {
  const refusal = refuse('db.writes_paused')
  expect(refusal).toBeInstanceOf(ApiError)
  expect(refusal).toMatchObject({ status: 503, retryAfterSeconds: 30 })
  const missing = refuse('company_connections.mandatory_missing', { slugs: ['iban'] })
  expect(missing.body()).toEqual({
    error: errorCatalog['company_connections.mandatory_missing'].sentence,
    error_key: 'company_connections.mandatory_missing',
    slugs: ['iban'],
  })
})

test('a refusal can take the second status of its key', () => {
  expect(refuse('company_connections.persons_only').status).toBe(403)
  expect(refuse('company_connections.persons_only', undefined, { status: 400 }).status).toBe(400)
})

test('members of Object are not error keys', () => {
  expect(isErrorKey('toString')).toBe(false)
  expect(isErrorKey('auth.expired')).toBe(true)
})
