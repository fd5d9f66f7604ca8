import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalPath } from './path.ts'

describe('canonicalPath', () => {
  test.each([
    ['/', '/'],
    ['/api/account', '/api/account'],
    ['/api/account/', '/api/account/'],
    ['/API/Account', '/API/Account'],
    ['/api/%61ccount', '/api/account'],
    ['/api/a%2dccount%5F1%7e%2E', '/api/a-ccount_1~.'],
    ['/api/%7Bid%7d', '/api/%7Bid%7D'],
    ['/api/a%3ab', '/api/a%3Ab'],
    ['/api/conn:1@x,y;z=1', '/api/conn:1@x,y;z=1'],
    ['/api/a%2fb', '/api/a%2Fb'],
    ['/api/%2561', '/api/%2561'],
    ['/api/%252e%252e', '/api/%252e%252e'],
    ['/api/...', '/api/...'],
    ['/api/.hidden', '/api/.hidden'],
    ['/api/%C3%A9', '/api/%C3%A9'],
  ])('%s is spelled %s', (raw, canonical) => {
    expect(canonicalPath(raw)).toEqual({ ok: true, value: canonical })
  })

  test.each([
    ['', 'the path must start with a slash'],
    ['api', 'the path must start with a slash'],
    ['*', 'the path must start with a slash'],
    ['//api', 'the path holds an empty segment'],
    ['/api//account', 'the path holds an empty segment'],
    ['/api/account//', 'the path holds an empty segment'],
    ['/api/../account', 'the path holds a dot segment'],
    ['/api/./account', 'the path holds a dot segment'],
    ['/api/..', 'the path holds a dot segment'],
    ['/api/%2e%2E/account', 'the path holds a dot segment'],
    ['/api/.%2e', 'the path holds a dot segment'],
    ['/api/%2e', 'the path holds a dot segment'],
    ['/api/%2e%2e%2Faccount', 'the path holds a dot segment'],
    ['/api/a%2f..', 'the path holds a dot segment'],
    ['/api/%00', 'the path holds a NUL'],
    ['/api/a%00b', 'the path holds a NUL'],
    ['/api/%', 'the path holds a broken percent-escape'],
    ['/api/%4', 'the path holds a broken percent-escape'],
    ['/api/%zz', 'the path holds a broken percent-escape'],
    ['/api/%ff', 'the path holds a broken percent-escape'],
    ['/api/%C3', 'the path holds a broken percent-escape'],
    ['/api/%ED%A0%80', 'the path holds a broken percent-escape'],
    ['/api/%C0%AF', 'the path holds a broken percent-escape'],
    [String.raw`/api\account`, 'the path holds a character that must be percent-encoded'],
    ['/api/é', 'the path holds a character that must be percent-encoded'],
    ['/api/a b', 'the path holds a character that must be percent-encoded'],
    ['/api/a#b', 'the path holds a character that must be percent-encoded'],
    ['/api/<x>', 'the path holds a character that must be percent-encoded'],
    ['/api/a\0', 'the path holds a character that must be percent-encoded'],
  ])('%j is refused', (raw, refusal) => {
    expect(canonicalPath(raw)).toEqual({ ok: false, refusal })
  })

  test('a path longer than any route needs is refused', () => {
    expect(canonicalPath(`/${'a'.repeat(2048)}`)).toEqual({ ok: false, refusal: 'the path is too long' })
  })

  test('an accepted spelling is its own canonical form and names the same resource', () => {
    const letters = [
      'a',
      'Z',
      '0',
      '-',
      '.',
      '_',
      '~',
      '/',
      '%',
      '2',
      'e',
      'E',
      'F',
      'f',
      ':',
      '@',
      '\0',
      'é',
      '%2e',
      '%2F',
    ]
    const raw = fc.array(fc.constantFrom(...letters), { maxLength: 30 }).map((parts) => `/${parts.join('')}`)
    fc.assert(
      fc.property(raw, (path) => {
        const once = canonicalPath(path)
        if (!once.ok) return
        expect(canonicalPath(once.value)).toEqual(once)
        expect(decodeURIComponent(once.value)).toBe(decodeURIComponent(path))
        expect(once.value).not.toMatch(/\/\/|\/\.\.?(?:\/|$)|%00/)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })
})
