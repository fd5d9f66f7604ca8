import { describe, expect, test } from 'vitest'
import { openTestServer } from './testing/server.ts'

const api = await openTestServer()

const create = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  api.send('/api/things', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const warningOf = (response: Response) => response.headers.get('x-platform-warning')

describe('unknown members of a write', () => {
  test('are ignored and named in a header of the accepted call, with the member that was probably meant', async () => {
    const response = await create({ name: 'x', cuont: 1 })
    expect([response.status, warningOf(response)]).toEqual([201, 'unknown member "cuont", did you mean "count"?'])
  })

  test('several are named in the order of the body, and the rest is mentioned', async () => {
    const names = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6']
    const warning = warningOf(await create({ name: 'x', ...Object.fromEntries(names.map((name) => [name, 1])) }))
    const named = names.slice(0, 5).map((name) => `unknown member "${name}"`)
    expect(warning).toBe([...named, 'more unknown members'].join('; '))
  })

  test('cannot write into the header', async () => {
    const warning = warningOf(await create({ name: 'x', 'a\r\nset-cookie: b="c"; ü': 1, ['y'.repeat(1000)]: 1 }))
    expect(warning).toMatch(/^unknown member "a\\u000d\\u000aset-cookie[\x20-\x7e]*"; unknown member "y{40}\.\.\."$/)
  })

  test('a replayed answer names them again', async () => {
    const body = { name: 'x', tagz: [] }
    const key = { 'idempotency-key': 'warned' }
    const [first, again] = [await create(body, key), await create(body, key)]
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect([warningOf(first), warningOf(again)]).toEqual(Array(2).fill('unknown member "tagz", did you mean "tags"?'))
  })
})

test('a warning of the handler stands before the unknown members, also when the answer is replayed', async () => {
  expect(warningOf(await create({ name: 'odd' }))).toBe('things.odd; the name is odd')
  const body = { name: 'odd', tagz: [] }
  const key = { 'idempotency-key': 'odd' }
  const [first, again] = [await create(body, key), await create(body, key)]
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const both = 'things.odd; the name is odd; unknown member "tagz", did you mean "tags"?'
  expect([warningOf(first), warningOf(again)]).toEqual([both, both])
})

test('a call without unknown members, one that sends back what it read, and a refused one have no warning', async () => {
  expect(warningOf(await create({ name: 'x', count: 1, tags: ['a'] }))).toBeNull()
  expect(warningOf(await create({ name: 'x', id: 'as it was read' }))).toBeNull()
  const refused = await create({ name: '', cuont: 1 })
  expect([refused.status, warningOf(refused)]).toEqual([400, null])
})
