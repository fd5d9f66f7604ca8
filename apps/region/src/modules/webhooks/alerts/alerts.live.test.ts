import { openWorld, scaled, type Service, type Webhook } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { CHECK_FIRST_MS, explainQueue, type QueueExplanation } from '../../feed/index.ts'
import { idsOf, nameOf } from '../testing/webhooks.ts'
import { alertStaleQueues } from './operations/alert-stale-queues.ts'

const inTime = { timeout: scaled(15_000) }
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const world = await openWorld({ own: true })
const company = await world.company()
const { clock } = world

/** A service and its webhook. */
interface Pair {
  readonly service: Service
  readonly hook: Webhook
}

async function open(): Promise<Pair> {
  const service = await world.service([], { company })
  return { service, hook: await service.webhook() }
}

/** A pair whose endpoint fails, so that its event becomes backlog. */
async function openFailing(status: number): Promise<Pair> {
  const pair = await open()
  pair.hook.receiver.behave(() => status)
  await pair.service.append()
  await pair.hook.becomes('bad')
  return pair
}

const alert = (): Promise<void> => alertStaleQueues(world.eu.modules.webhooks)

async function logged({ service }: Pair, type: 'email' | 'purge'): Promise<readonly Record<string, unknown>[]> {
  return (await service.logs()).filter((row) => row['type'] === type)
}

/** Waits for the mails about this webhook: as many as entries in its log. */
async function mailsFor({ hook }: Pair, count: number): Promise<ReturnType<typeof mailsAbout>> {
  await expect.poll(() => mailsAbout(hook).length, inTime).toBeGreaterThanOrEqual(count)
  expect(mailsAbout(hook)).toHaveLength(count)
  return mailsAbout(hook)
}

function mailsAbout({ id }: Webhook) {
  return world.mail.taken.filter(({ text }) => text.includes(id))
}

/** Drains the oldest event of the pull feed. */
async function drainOne({ service }: Pair): Promise<unknown> {
  return (await service.data('GET', '/api/company-data/changes?limit=1')).body['changes']
}

async function countRows({ service }: Pair, before: number): Promise<number> {
  const sql = 'select no from feed.event where owner_id = $1 and at <= to_timestamp($2 / 1000.0)'
  return (await world.rows(sql, [service.serviceId, before])).length
}

function explain({ service, hook }: Pair): Promise<QueueExplanation | null> {
  return world.eu.platform.database.read((read) => explainQueue(read, nameOf(service, hook), clock.now()))
}

/**
 * Advances the clock, which makes a worker probe; while it holds the queue, the age of the backlog is not checked. Waits
 * until the probe has ended or is postponed by an overdue check, so that the next check finds the queue.
 */
async function passTo(pair: Pair, at: number): Promise<void> {
  clock.advance(at - clock.now())
  const mayProbe = async () => {
    const queue = await explain(pair)
    if (queue === null) return false
    const { isLeased, dueAt, alertAt } = queue
    const isDue = dueAt !== null && dueAt <= at
    const isCheckFirst = alertAt !== null && alertAt <= at && at < alertAt + CHECK_FIRST_MS
    return isLeased || (isDue && !isCheckFirst)
  }
  await expect.poll(mayProbe, inTime).toBe(false)
}

async function alertAfter(pair: Pair, ms: number, startedAt: number): Promise<void> {
  await passTo(pair, startedAt + ms)
  await alert()
}

describe('an old backlog', () => {
  test('raises alerts by mail and log, daily from two days and hourly from five [HOOK-28]', async () => {
    const startedAt = clock.now()
    const pair = await openFailing(503)
    const alertHours: number[] = []
    for (const ms of [
      DAY_MS,
      2 * DAY_MS - 1,
      2 * DAY_MS,
      2 * DAY_MS + HOUR_MS,
      3 * DAY_MS - 1,
      3 * DAY_MS,
      4 * DAY_MS,
      5 * DAY_MS - 1,
      5 * DAY_MS,
      5 * DAY_MS + HOUR_MS - 1,
      5 * DAY_MS + HOUR_MS,
      5 * DAY_MS + 2 * HOUR_MS,
    ]) {
      const before = (await logged(pair, 'email')).length
      await alertAfter(pair, ms, startedAt)
      const after = (await logged(pair, 'email')).length
      if (after > before) alertHours.push(ms / HOUR_MS)
      expect(after - before).toBeLessThanOrEqual(1)
      await mailsFor(pair, after)
    }
    expect(alertHours).toEqual([48, 72, 96, 120, 121, 122])
    const [row] = await logged(pair, 'email')
    expect(row).toMatchObject({ metadata: { webhook_id: pair.hook.id, cause: 'failing', backlog_count: 1 } })
    const [mail] = await mailsFor(pair, 6)
    expect(mail?.subject).toContain(new URL(pair.hook.receiver.url).host)
    expect(mail?.text).toContain('answered 503')
    expect(mail?.text).toContain('What to do:')
    expect(mail?.text).toContain('data is lost from')
  })

  test('raises one alert, however many workers check', async () => {
    const startedAt = clock.now()
    const pair = await openFailing(500)
    await passTo(pair, startedAt + 2 * DAY_MS)
    await Promise.all([alert(), alert(), alert(), alert()])
    expect(await logged(pair, 'email')).toHaveLength(1)
    await mailsFor(pair, 1)
  })

  test('raises no alert any more once it is delivered', async () => {
    const startedAt = clock.now()
    const pair = await openFailing(500)
    pair.hook.receiver.behave(() => 200)
    clock.advance(DAY_MS)
    await pair.hook.becomes('running')
    await alertAfter(pair, 3 * DAY_MS, startedAt)
    expect(await logged(pair, 'email')).toEqual([])
  })

  test('raises at most hourly alerts, also while events expire all the time', async () => {
    const pair = await open()
    expect((await pair.hook.post('pause')).status).toBe(200)
    const startedAt = clock.now()
    for (let events = 0; events < 72; events += 1) {
      await pair.service.append()
      clock.advance(DAY_MS / 72)
    }
    clock.advance(startedAt + 7 * DAY_MS - 1 - clock.now())
    await alert()
    const before = (await logged(pair, 'email')).length
    for (let checks = 0; checks < 72; checks += 1) {
      clock.advance(DAY_MS / 72)
      await alert()
    }
    const alerts = (await logged(pair, 'email')).length - before + (await logged(pair, 'purge')).length
    expect(alerts).toBeLessThanOrEqual(26)
    expect(alerts).toBeGreaterThanOrEqual(23)
  })

  test('is reported with its cause: paused by the company', async () => {
    const pair = await open()
    const startedAt = clock.now()
    expect((await pair.hook.post('pause')).status).toBe(200)
    await pair.service.append()
    await alertAfter(pair, 2 * DAY_MS, startedAt)
    const [mail] = await mailsFor(pair, 1)
    expect(mail?.text).toContain('the webhook was paused')
    expect(await logged(pair, 'email')).toMatchObject([{ metadata: { cause: 'paused' } }])
  })

  test('of a deleted service raises no alert', async () => {
    const startedAt = clock.now()
    const pair = await openFailing(500)
    expect((await pair.service.portal('DELETE', pair.service.path)).status).toBe(204)
    await alertAfter(pair, 2 * DAY_MS, startedAt)
    expect(mailsAbout(pair.hook)).toEqual([])
  })
})

describe('after seven days', () => {
  test('an event of a backlog expires, which is reported once, and younger events stay [HOOK-29]', async () => {
    const startedAt = clock.now()
    const pair = await openFailing(503)
    await passTo(pair, startedAt + DAY_MS)
    const [younger] = await pair.service.append()
    await alertAfter(pair, 7 * DAY_MS - 1, startedAt)
    expect(await logged(pair, 'purge')).toEqual([])
    expect(await pair.hook.health()).toMatchObject({ backlog_count: 2 })

    clock.advance(1)
    expect(await pair.hook.health()).toMatchObject({ backlog_count: 1 })
    await passTo(pair, startedAt + 7 * DAY_MS + HOUR_MS)
    await alert()
    await alert()
    expect(await logged(pair, 'purge')).toMatchObject([
      { metadata: { webhook_id: pair.hook.id, purged_count: 1, backlog_count: 1 } },
    ])
    const mails = await mailsFor(pair, (await logged(pair, 'email')).length + 1)
    const lost = mails.filter(({ subject }) => subject.includes('were lost'))
    expect(lost).toHaveLength(1)
    expect(lost[0]?.text).toContain('cannot be brought back')

    const before = pair.hook.receiver.all.length
    pair.hook.receiver.behave(() => 200)
    clock.advance(600_000)
    await pair.hook.becomes('running')
    const taken = idsOf(pair.hook.receiver.all.slice(before))
    expect(new Set(taken)).toEqual(new Set([younger]))
  })

  test('the loss of a whole backlog is reported, also when a worker claims the queue first', async () => {
    const startedAt = clock.now()
    const pair = await openFailing(503)
    await alertAfter(pair, 7 * DAY_MS - 1, startedAt)
    const before = pair.hook.receiver.all.length
    clock.advance(600_000)
    await pair.hook.becomes('running')
    expect(pair.hook.receiver.all.length).toBeLessThanOrEqual(before + 1)
    await alert()
    expect(await logged(pair, 'purge')).toMatchObject([
      { metadata: { purged_count: 1, backlog_count: 0, cause: 'over' } },
    ])
    await alert()
    clock.advance(3 * DAY_MS)
    await alert()
    expect(await logged(pair, 'purge')).toHaveLength(1)
  })

  test('and one more day expired events are deleted from the database [RETAIN-08]', async () => {
    const startedAt = clock.now()
    const pair = await openFailing(503)
    expect(await countRows(pair, startedAt)).toBe(1)
    clock.advance(8 * DAY_MS + HOUR_MS)
    await pair.service.append()
    for (const { run } of world.eu.modules.feed.chores ?? []) await run()
    await alert()
    expect(await countRows(pair, startedAt)).toBe(0)
    expect(await countRows(pair, clock.now())).toBe(1)
    expect(await pair.hook.health()).toMatchObject({ backlog_count: 1 })
  })

  test('events expire in the pull feed as well, and a failed webhook is probed after ten minutes [LIMIT-02]', async () => {
    const pair = await openFailing(503)
    const failedAt = clock.now()
    expect((await explain(pair))?.dueAt).toBe(failedAt + 600_000)
    const before = pair.hook.receiver.all.length
    pair.hook.receiver.behave(() => 500)
    clock.advance(600_000)
    await pair.hook.receiver.take(before + 1)

    const [first] = await pair.service.append()
    clock.advance(1000)
    await pair.service.append()
    clock.advance(failedAt + 600_000 + 7 * DAY_MS - 1 - clock.now())
    expect(await drainOne(pair)).toMatchObject([{ id: first }])
    expect(await pair.hook.health()).toMatchObject({ backlog_count: 2 })
    clock.advance(1001)
    expect(await drainOne(pair)).toEqual([])
    expect(await pair.hook.health()).toMatchObject({ backlog_count: 0 })
  })
})
