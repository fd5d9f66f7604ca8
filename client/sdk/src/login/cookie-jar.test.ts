import { expect, test } from 'vitest'
import { cookieJar } from './cookie-jar.ts'

function headersWith(...lines: readonly string[]): Headers {
  return new Headers(lines.map((line) => ['set-cookie', line]))
}

test('the latest cookies are sent, and a deleted one is not', () => {
  const jar = cookieJar()
  expect(jar.header()).toEqual({})
  jar.keep(headersWith('a=1; Path=/; HttpOnly', 'b=two; Secure'))
  jar.keep(headersWith('a=3'))
  expect(jar.header()).toEqual({ cookie: 'a=3; b=two' })
  expect(jar.secrets().map(String)).not.toContain('3')
  jar.keep(headersWith('a=; Max-Age=0'))
  expect(jar.header()).toEqual({ cookie: 'b=two' })
})
