import { runStatement } from '@sealpost/postgres'
import { openWorld } from '@sealpost/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { diagnose } from '../../commands/doctor/index.ts'
import { operate } from '../../commands/operate/index.ts'
import { choresOf } from '../../region.ts'
import type { FeedResolver, NewEvent } from './model.ts'
import { deleteFeed } from './operations/delete-feed.ts'
import { NONE, openFeed, requestAnswered } from './testing/feeds.ts'

const DAY_MS = 86_400_000

// Of its own: reports and metrics show the events of all companies of a region.
const world = await openWorld({ own: true })
const company = await world.company()
const open = () => openFeed(world, company)
const { modules } = world.eu
const doctor = (...args: readonly string[]) => diagnose(world.eu, args, () => Promise.resolve())
const operator = (...args: readonly string[]) => operate(world.eu, args)
const LACKING: Partial<NewEvent> = { payload: { share_code: 'HIDDENCODE', customer_type: 'person' } }

interface Kept {
  readonly reader: string
  readonly reason: string
  readonly payload: unknown
  readonly kind: string
}

const keptOf = (ownerId: string) =>
  world.rows<Kept>('select * from feed.quarantined_event where owner_id = $1 and ended_at is null', [ownerId])

const change = (sql: string, ...values: readonly unknown[]) =>
  world.eu.platform.database.transaction((tx) => runStatement(tx, sql, values))

/** The payloads of `connection_deleted` lack a member until the returned function is called: a release with a fault. */
function breakRelease(): () => void {
  let isBroken = true
  const resolver: FeedResolver = {
    resolve: async (_read, _owner, events) =>
      new Map(events.map(({ id, kind }) => [id, { event: kind, members: isBroken ? { person_user_id: 7 } : {} }])),
  }
  Object.assign(modules.feed.resolvers, { connection_deleted: resolver })
  onTestFinished(() => void Reflect.deleteProperty(modules.feed.resolvers, 'connection_deleted'))
  return () => {
    isBroken = false
  }
}

async function upkeep(region: Parameters<typeof choresOf>[0] = world.eu): Promise<void> {
  for (const chore of choresOf(region)) if (chore.what === 'quarantined events') await chore.run()
}

test('an event that misses its schema is kept with its payload, origin and reason, and the feed goes on', async () => {
  const feed = await open()
  const ids = await feed.append({}, LACKING, {})
  expect((await feed.drain()).ids).toEqual([ids[0], ids[2]])
  expect((await feed.drain()).body).toEqual(NONE)
  expect(await keptOf(feed.owner.serviceId)).toMatchObject([
    {
      event_id: ids[1],
      account_id: company.companyId,
      kind: 'connection_deleted',
      payload: LACKING.payload,
      reader: 'plain channel',
      reason: 'must have required properties person_user_id',
    },
  ])
})

test('it is counted, logged as an error and reported by the doctor, without its payload', async () => {
  const feed = await open()
  await feed.drain({ listener: 'second' })
  const [id] = await feed.append(LACKING)
  await feed.drain()
  await feed.drain({ listener: 'second' })
  // The metrics of a test are shared, and the last process shows its number. It delivers no webhooks to later tests.
  await upkeep(await world.another('eu', { REGION_ROLES: 'api' }))
  const metrics = await world.telemetry.prometheus()
  expect(metrics).toMatch(/feed_events_quarantined_total\{event_kind="connection_deleted"\} [1-9]/)
  expect(metrics).toMatch(/\nfeed_quarantined_events [1-9]/)
  const logged = world.telemetry.lines().filter((line) => JSON.stringify(line).includes(String(id)))
  expect(logged).toMatchObject([{ level: 'error', kind: 'connection_deleted' }])
  const line = `event ${id} (connection_deleted of ${feed.owner.serviceId}) does not match its schema`
  expect(await doctor()).toContain(line)
  expect(await doctor('events')).toContain('must have required properties person_user_id')
  expect(JSON.stringify(world.telemetry.lines()) + (await doctor()) + (await doctor('events'))).not.toContain(
    'HIDDENCODE',
  )
  expect(await doctor('event', String(id))).toContain('HIDDENCODE')
})

test('a page is not acknowledged while its misfits cannot be kept', async () => {
  const feed = await open()
  const ids = await feed.append(LACKING, {})
  await change('alter table feed.quarantined_event rename to elsewhere')
  expect((await feed.drain()).status).toBe(500)
  await change('alter table feed.elsewhere rename to quarantined_event')
  await expect.poll(async () => (await feed.drain()).ids).toEqual([ids[1]])
  expect(await keptOf(feed.owner.serviceId)).toHaveLength(1)
})

test('a retried event reaches the plain channel and the webhooks under its id, once it matches', async () => {
  const service = await world.service([], { company })
  const hook = await service.webhook()
  const repair = breakRelease()
  const [id = ''] = await service.append({})
  await expect.poll(() => keptOf(service.serviceId)).toHaveLength(1)
  expect(await service.drain()).toEqual([])
  await expect(operator('events:retry', id)).rejects.toThrow(
    `${id} still does not match: /person_user_id must be string`,
  )
  repair()
  expect(await operator('events:retry', id)).toBe('1 event is delivered again')
  const [received] = await hook.receiver.take(1)
  expect(received?.headers['webhook-id']).toBe(id)
  expect((await service.drain()).map((event) => event.id)).toEqual([id])
  expect(await keptOf(service.serviceId)).toEqual([])
  await expect(operator('events:retry', id)).rejects.toThrow(`no kept event is called ${id}`)
})

test('a retry never brings an older state back: a later event of the same key has replaced it', async () => {
  const feed = await open()
  const request = requestAnswered('connection_request_accepted', feed.owner, crypto.randomUUID())
  const [id = ''] = await feed.append({ ...request, payload: {} })
  expect((await feed.drain()).ids).toEqual([])
  const later = await feed.append(requestAnswered('connection_request_rejected', feed.owner, crypto.randomUUID()))
  await change(
    'update feed.quarantined_event set payload = $2 where event_id = $1',
    id,
    JSON.stringify(request.payload),
  )
  expect(await operator('events:retry', id)).toBe(
    '1 event is obsolete and not delivered: a later one has replaced it, or what it tells is gone',
  )
  expect((await feed.drain()).ids).toEqual(later)
  expect(await keptOf(feed.owner.serviceId)).toEqual([])
})

test('a discarded event is forgotten, also when another reader meets it later', async () => {
  const feed = await open()
  await feed.drain({ listener: 'late' })
  const [id = ''] = await feed.append(LACKING)
  await feed.drain()
  expect(await operator('events:discard', id)).toBe('forgot 1 of 1 events')
  expect(await operator('events:discard', id)).toBe('forgot 0 of 1 events')
  await expect(operator('events:discard', 'x')).rejects.toThrow('x is not the id of an event')
  await expect(operator('events:discard')).rejects.toThrow('name events: events:discard <event id …>')
  expect((await feed.drain({ listener: 'late' })).body).toEqual(NONE)
  expect(await keptOf(feed.owner.serviceId)).toEqual([])
  expect(
    await world.rows('select 1 from feed.quarantined_event where payload::text like $1 and event_id = $2', [
      '%HIDDENCODE%',
      id,
    ]),
  ).toEqual([])
})

test('the events of a deleted feed are deleted with it', async () => {
  const feed = await open()
  const [id = ''] = await feed.append(LACKING)
  await feed.drain()
  await world.eu.platform.database.transaction((tx) => deleteFeed(modules.feed, tx, feed.owner))
  expect(await world.rows('select 1 from feed.quarantined_event where event_id = $1', [id])).toEqual([])
})

test('a kept event ends after 30 days, with a line in the log', async () => {
  const feed = await open()
  await feed.append(LACKING)
  await feed.drain()
  world.clock.advance(29 * DAY_MS)
  await upkeep()
  expect(await keptOf(feed.owner.serviceId)).toHaveLength(1)
  world.clock.advance(2 * DAY_MS)
  await upkeep()
  expect(await keptOf(feed.owner.serviceId)).toEqual([])
  expect(JSON.stringify(world.telemetry.lines())).toContain(
    'kept events were deleted after 30 days without an operator',
  )
  expect(await doctor('events')).toBe('no event is kept')
})
