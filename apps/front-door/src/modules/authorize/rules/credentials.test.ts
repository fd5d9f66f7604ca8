import { expect, test } from 'vitest'
import { readCredentials } from './client-credentials.ts'
import { answerUrl, faultUrl } from './redirects.ts'

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const read = (authorization: string | null, form: Parameters<typeof readCredentials>[1] = {}) => {
  const { id, secret } = readCredentials(authorization, form)
  return [id, secret.reveal()]
}

test('credentials are in the form or in the header', () => {
  expect(read(null, { client_id: 'one', client_secret: 'shh' })).toEqual(['one', 'shh'])
  expect(read(null, { client_id: 'one' })).toEqual(['one', ''])
  expect(read(null)).toEqual([undefined, ''])
  expect(read(basic('one', 'shh'))).toEqual(['one', 'shh'])
  expect(read(basic('one', 'shh'), { client_id: 'one' })).toEqual(['one', 'shh'])
})

test.each([
  ['a secret in both places', basic('one', 'shh'), { client_secret: 'shh' }],
  ['two clients', basic('one', 'shh'), { client_id: 'two' }],
  ['another scheme', 'Bearer shh', {}],
])('%s is refused', (_, authorization, form) => {
  expect(() => read(authorization, form)).toThrow(expect.objectContaining({ key: 'oauth.invalid_request' }))
})

const to = { redirectUri: 'https://app.example/back?own=1', state: 'a b' }

test('an answer keeps the own members of the redirect URI, and names state and server', () => {
  expect(answerUrl('https://door.example', to, { code: 'x&y' })).toBe(
    'https://app.example/back?own=1&code=x%26y&state=a+b&iss=https%3A%2F%2Fdoor.example',
  )
  expect(answerUrl('https://door.example', { ...to, state: null }, {})).toBe(
    'https://app.example/back?own=1&iss=https%3A%2F%2Fdoor.example',
  )
})

test('a fault is told by its code and its sentence', () => {
  const fault = { code: 'access_denied', sentence: 'No.' } as Parameters<typeof faultUrl>[2]
  expect(faultUrl('https://door.example', to, fault)).toContain('&error=access_denied&error_description=No.&state=')
})
