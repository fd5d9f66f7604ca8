import { expect, test } from 'vitest'
import { fakeTime, refusal } from '../../test/stub-platform.ts'
import type { Received } from '../../test/stub-server.ts'
import { startStubService } from '../../test/stub-service.ts'

const row = { slug: 'mail', label: 'E-mail', type: 'email' }

test('a conflicting publication reads the rows again and decides again [SDK-15]', async () => {
  let published = 1
  await using service = await startStubService(({ method, body }) => {
    const now = { request_fields: [{ ...row, label: `by ${published}` }], config_token: `token-${published}` }
    if (method === 'GET') return { status: 200, json: now }
    const { config_token: token, request_fields: rows } = JSON.parse(body)
    // Another user publishes before the first two attempts arrive.
    if (published < 3) published += 1
    if (token !== `token-${published}`) return refusal(409, 'services.config_conflict')
    return { status: 200, json: { request_fields: rows, config_token: 'token-after' } }
  })
  const seen: string[] = []

  const after = await service.client.requestFields.update((rows) => {
    seen.push(rows[0]?.label ?? '')
    return [...rows, { label: 'Phone', type: 'phone' }]
  })

  expect(seen).toEqual(['by 1', 'by 2', 'by 3'])
  expect(after.config_token).toBe('token-after')
  expect(after.request_fields).toHaveLength(2)
  const tokens = service.region.received.flatMap(({ method, body }) => (method === 'PUT' ? JSON.parse(body) : []))
  expect(tokens.map(({ config_token: token }) => token)).toEqual(['token-1', 'token-2', 'token-3'])
})

test('any other refusal of a publication is thrown at once, and so is a fifth conflict', async () => {
  const rows = { request_fields: [row], config_token: 't' }
  await using picky = await startStubService(({ method }) =>
    method === 'GET' ? { status: 200, json: rows } : refusal(409, 'services.request_field_type_locked'),
  )
  const refused = picky.client.requestFields.update((now) => now)
  await expect(refused).rejects.toMatchObject({ key: 'services.request_field_type_locked' })
  expect(picky.region.received).toHaveLength(2)

  await using busy = await startStubService(({ method }) =>
    method === 'GET' ? { status: 200, json: rows } : refusal(409, 'services.config_conflict'),
  )
  await expect(busy.client.requestFields.update((now) => now)).rejects.toMatchObject({ status: 409 })
  expect(busy.region.received).toHaveLength(10)
})

test('connections are read by cursor, 500 at a time, without reading ahead', async () => {
  const page = (from: number, next: string | null) => ({
    status: 200,
    json: { total: 1500, items: Array.from({ length: 500 }, (_, at) => ({ id: `c${from + at}` })), next_cursor: next },
  })
  await using service = await startStubService(({ path }) => {
    if (path.includes('cursor=b')) return page(1000, null)
    return path.includes('cursor=a') ? page(500, 'b') : page(0, 'a')
  })
  const { connections } = service.client

  const ids: string[] = []
  for await (const { id } of connections.list()) {
    ids.push(id)
    expect(service.region.received).toHaveLength(Math.ceil(ids.length / 500))
  }
  expect(ids).toHaveLength(1500)
  expect(new Set(ids).size).toBe(1500)
  expect(service.region.received.map(({ path }) => path.split('?')[1])).toEqual([
    'limit=500',
    'limit=500&cursor=a',
    'limit=500&cursor=b',
  ])
})

test('a lost page of changes is read again with the same attempt id; the next page has another', async () => {
  const time = fakeTime()
  await using service = await startStubService((_, count) => {
    if (count === 1) return { status: 200, hangUp: true }
    if (count === 2) return { status: 200, json: { changes: [{ id: '1' }, { id: '2' }], has_more: true } }
    return { status: 200, json: { changes: [{ id: '3' }], has_more: false } }
  }, time)
  const names: string[] = []

  const ids: string[] = []
  const onAttempt = (name: string): void => void names.push(name)
  for await (const { id } of service.client.changes.drain({ limit: 2, onAttempt })) ids.push(id)

  expect(ids).toEqual(['1', '2', '3'])
  const asked = service.region.received.map(attemptOf)
  expect(asked).toEqual([names[0], names[0], names[1]])
  expect(names[0]).not.toBe(names[1])
})

test('a page that may not have been handled is read again with its attempt id', async () => {
  await using service = await startStubService(() => ({ status: 200, json: { changes: [], has_more: false } }))

  for await (const _ of service.client.changes.drain({ resume: 'page-7', listener: 'desk' })) expect.fail()
  const { path } = service.region.received[0] ?? { path: '' }
  expect(Object.fromEntries(new URL(path, 'http://x').searchParams)).toEqual({ attempt_id: 'page-7', listener: 'desk' })
})

function attemptOf({ path }: Received): string | null {
  return new URL(path, 'http://x').searchParams.get('attempt_id')
}
