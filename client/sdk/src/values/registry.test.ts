import { seedRows } from '@sealpost/field-types'
import { expect, test } from 'vitest'
import { fakeTime } from '../../test/stub-platform.ts'
import { startStubService } from '../../test/stub-service.ts'
import { UnexpectedAnswerError } from '../index.ts'

test('values are validated by the live registry; an unknown type accepts any value [SDK-16]', async () => {
  const own = {
    type: 'member_no',
    parent: 'text',
    label: 'Member',
    validation: 'M[0-9]{4}',
    input: null,
    lane: null,
    check: null,
    options: null,
    fields: null,
    is_system: false,
  }
  await using service = await startStubService(() => ({ status: 200, json: [...seedRows, own] }))

  const types = await service.client.registry()
  expect(types.validate('member_no', 'M1234')).toEqual([])
  expect(types.validate('member_no', '1234')).toMatchObject([{ path: [], reason: expect.any(String) }])
  expect(types.validate('of_next_year', '{"whatever":[]}')).toEqual([])
  expect(types.accepts('text', 'member_no')).toBe(true)
  expect(types.isFile('passport')).toBe(true)
  expect(types.resolve('address').entries.map(({ key }) => key)).toContain('street')
})

test('the registry is read once in five minutes, and then only if it changed', async () => {
  const time = fakeTime()
  let etag = '"one"'
  await using service = await startStubService(({ headers }) => {
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
    return { status: 200, json: seedRows, headers: { etag } }
  }, time)
  const { client, region } = service
  const first = await client.registry()
  time.pass(299)
  expect(await client.registry()).toBe(first)
  expect(region.received).toHaveLength(1)

  time.pass(2)
  const [again, shared] = await Promise.all([client.registry(), client.registry()])
  expect(again).toBe(first)
  expect(shared).toBe(first)
  expect(region.received).toHaveLength(2)

  time.pass(301)
  etag = '"two"'
  expect(await client.registry()).not.toBe(first)
  expect(region.received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"', '"one"'])
})

test('an answer that is not a list is refused, and the next call reads again', async () => {
  await using service = await startStubService((_, count) => ({ status: 200, json: count === 1 ? {} : [] }))

  await expect(service.client.registry()).rejects.toBeInstanceOf(UnexpectedAnswerError)
  expect((await service.client.registry()).rows).toEqual([])
})
