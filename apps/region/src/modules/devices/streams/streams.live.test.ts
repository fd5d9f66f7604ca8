import { runStatement } from '@sealpost/postgres'
import { logOutWith, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { hint } from '../index.ts'
import { listenTo } from '../testing/listen.ts'
import { write } from '../testing/send.ts'

const world = await openWorld()
const service = await world.service([])
const { person, connectionId } = await world.customer(service, [])
const otherPerson = await world.person()
const id = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'

const raise = async (accountId = person.userId, count = 1, site: 'eu' | 'us' = 'us') => {
  const { platform, modules } = world[site]
  const hints = Array.from({ length: count }, () => ({ accountId, kind: 'challenge_raised' as const, id }))
  await platform.database.transaction((tx) => hint(modules.devices, tx, hints))
}

test('a message becomes a hint with its kind and the id of its thread, on every device', async () => {
  const second = await person.logIn()
  const devices = [await listenTo(person), await listenTo(second)]
  await write(service, person, connectionId, 'The text is not in the hint')
  for (const device of devices) {
    await expect.poll(device.hints).toEqual([{ kind: 'message_received', id: connectionId }])
    expect(device.text()).not.toContain('text is not')
    await device.close()
  }
})

test('a reader continues after the event that it names, and misses nothing', async () => {
  const first = await listenTo(person)
  await raise()
  await expect.poll(first.hints).toHaveLength(1)
  await first.close()
  await raise(person.userId, 3)
  const next = await listenTo(person, first.lastId())
  await expect.poll(next.hints).toHaveLength(3)
  expect(next.events().some(({ event }) => event === 'reread')).toBe(false)
  const third = await listenTo(person, next.lastId())
  await raise()
  await expect.poll(third.hints).toHaveLength(1)
  await Promise.all([next.close(), third.close()])
})

test('more hints than one page arrive in order', async () => {
  const before = await listenTo(person)
  await before.close()
  await raise(person.userId, 250)
  const reader = await listenTo(person, before.lastId())
  await expect.poll(() => reader.hints().length).toBe(250)
  const numbers = reader.events().flatMap((event) => (event.event === 'hint' ? [Number(event.id?.split('-')[1])] : []))
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  expect(new Set(numbers).size).toBe(250)
  await reader.close()
})

describe('a position that says nothing here', () => {
  test.each(['nonsense', '1-999999999', '7-0'])('%s: everything is read again', async (position) => {
    const reader = await listenTo(person, position)
    expect(reader.events()[0]).toMatchObject({ event: 'reread', data: '{}' })
    await raise()
    await expect.poll(reader.hints).toHaveLength(1)
    await reader.close()
  })

  test('a hint that has expired: everything is read again', async () => {
    const early = await listenTo(otherPerson)
    await early.close()
    await raise(otherPerson.userId, 2)
    await world.us.platform.database.transaction((tx) => forget(tx, otherPerson.userId))
    const reader = await listenTo(otherPerson, early.lastId())
    expect(reader.events()[0]).toMatchObject({ event: 'reread' })
    await reader.close()
  })
})

async function forget(tx: Parameters<typeof runStatement>[0], accountId: string): Promise<void> {
  await runStatement(tx, 'delete from devices.hint where account_id = $1', [accountId])
}

test('hints of another account stay with it', async () => {
  const [mine, other] = [await listenTo(person), await listenTo(otherPerson)]
  await raise(otherPerson.userId)
  await expect.poll(other.hints).toHaveLength(1)
  expect(mine.hints()).toEqual([])
  await Promise.all([mine.close(), other.close()])
})

test('a change that is rolled back raises no hint', async () => {
  const reader = await listenTo(person)
  const { platform, modules } = world.us
  const failing = platform.database.transaction(async (tx) => {
    await hint(modules.devices, tx, { accountId: person.userId, kind: 'challenge_raised', id })
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await raise()
  await expect.poll(reader.hints).toHaveLength(1)
  await reader.close()
})

test('any process of the region holds a stream', async () => {
  const process = await world.another('us')
  const reader = await listenTo({ apiUrl: process.url ?? '', token: person.token })
  await raise()
  await expect.poll(reader.hints).toHaveLength(1)
  await reader.close()
})

describe('the end of a stream', () => {
  test('comes with the end of its session, before the logout answers', async () => {
    const session = await person.logIn()
    const [ending, staying] = [await listenTo(session), await listenTo(person)]
    await logOutWith(world.frontDoor.url, session.cookies, 'person')
    // The logout has answered: the stream is over, and gets nothing more.
    await ending.ended
    expect(ending.events().at(-1)).toMatchObject({ event: 'reconnect' })
    await raise()
    await expect.poll(staying.hints).toHaveLength(1)
    expect(ending.hints()).toEqual([])
    await staying.close()
  })

  test('comes with the end of the account', async () => {
    const erased = await world.person()
    const reader = await listenTo(erased)
    await erased.erase()
    await reader.ended
    const rows = 'select account_id from devices.head where account_id = $1'
    expect(await world.rows(rows, [erased.userId], 'us')).toEqual([])
  })

  test('comes with the end of a process, whose readers continue at another one', async () => {
    const process = await world.another('us')
    const reader = await listenTo({ apiUrl: process.url ?? '', token: person.token })
    process.drain()
    await reader.ended
    expect(reader.events().at(-1)).toMatchObject({ event: 'reconnect' })
    await raise()
    const next = await listenTo(person, reader.lastId())
    await expect.poll(next.hints).toHaveLength(1)
    const late = await fetch(`${process.url}/api/customer/stream`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    expect(late.status).toBe(503)
    await next.close()
  })
})

test('a process that drains while hints come moves its streams, and no hint is lost or repeated', async () => {
  const process = await world.another('us')
  const leaving = await listenTo({ apiUrl: process.url ?? '', token: person.token })
  const moved = new AbortController()
  const raising = (async () => {
    let raised = 0
    for (; !moved.signal.aborted || raised < 200; raised += 1) await raise()
    return raised
  })()
  await expect.poll(() => leaving.hints().length).toBeGreaterThan(10)
  process.drain()
  await leaving.ended
  const staying = await listenTo(person, leaving.lastId())
  await expect.poll(() => staying.hints().length).toBeGreaterThan(10)
  moved.abort()
  const raised = await raising
  const numbers = () =>
    [...leaving.events(), ...staying.events()].flatMap(({ event, id: position }) =>
      event === 'hint' ? [Number(position?.split('-')[1])] : [],
    )
  await expect.poll(() => numbers().length).toBe(raised)
  const [first = 0] = numbers()
  expect(numbers()).toEqual(Array.from({ length: raised }, (_, place) => first + place))
  expect(staying.events().some(({ event }) => event === 'reread')).toBe(false)
  await staying.close()
})

describe('who may listen', () => {
  test('companies have a feed and get no stream', async () => {
    const answer = await service.company.portal('GET', '/api/customer/stream')
    expect(answer).toMatchObject(refused(403, 'company_connections.persons_only'))
  })

  test('no login, no stream', async () => {
    expect(await world.anonymous('GET', '/api/customer/stream')).toMatchObject(refused(401, 'auth.token_missing'))
  })
})

// Last: the tokens of this file have expired afterwards.
test('a stream ends with its token', async () => {
  const reader = await listenTo(await person.logIn())
  world.clock.advance(3_660_000)
  await reader.ended
  expect(reader.events().at(-1)).toMatchObject({ event: 'reconnect' })
})
