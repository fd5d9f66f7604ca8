import type { WebhookId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { type HookDesk, openHooks, startTwoRegions, type TestHook, type TwoRegions, waitUntil } from '@sealpost/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CHECK_FIRST_MS, explainQueue, type QueueExplanation } from '../../feed/index.ts'
import { findEndpointFacts } from '../operations/load-endpoints.ts'
import { alertStaleQueues } from './operations/alert-stale-queues.ts'

const limits = { timeout: 60_000 }
const IN_TIME_MS = 15_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let two: TwoRegions
let hooks: HookDesk
let hook: TestHook

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000' })
})
afterAll(() => two.close())
beforeEach(async () => {
  hooks = await openHooks(two)
  hook = await hooks.hook()
})
afterEach(() => hooks.close())

const alert = (): Promise<void> => alertStaleQueues(two.eu.modules.webhooks)

/** The endpoint fails, so that its events become backlog. */
async function failWith(status: number): Promise<void> {
  hook.receiver.behave(() => status)
  await hooks.append()
  await hook.becomes('bad')
}

async function logged(type: 'email' | 'purge'): Promise<readonly Record<string, unknown>[]> {
  return (await hooks.logs()).filter((row) => row['type'] === type)
}

/** Waits for the mails about this webhook: as many as entries in its log. */
async function mailsFor(count: number): Promise<readonly { readonly subject: string; readonly text: string }[]> {
  const mine = () => two.mail.taken.filter(({ text }) => text.includes(hook.id))
  await waitUntil(`${count} mails came`, IN_TIME_MS, () => mine().length >= count)
  expect(mine()).toHaveLength(count)
  return mine()
}

/** Drains the oldest event of the pull feed. */
async function drainOne(): Promise<unknown> {
  const headers = { authorization: `Bearer ${await hooks.desk.token()}` }
  const answer = await fetch(`${two.eu.url}/api/company-data/changes?limit=1`, { headers })
  const body: Readonly<Record<string, unknown>> = JSON.parse(await answer.text())
  return body['changes']
}

async function countRows(before: number): Promise<number> {
  const sql = `select count(*)::int as rows from feed.event where owner_id = $1 and at <= to_timestamp($2 / 1000.0)`
  const [row] = await two.eu.platform.database.read((read) =>
    runStatement<{ rows: number }>(read, sql, [hooks.desk.serviceId, before]),
  )
  return row?.rows ?? -1
}

function explain(): Promise<QueueExplanation | null> {
  return two.eu.platform.database.read(async (read) => {
    const facts = await findEndpointFacts(read, hook.id as WebhookId)
    return facts === null ? null : explainQueue(read, facts.name, two.clock.now())
  })
}

/**
 * Advances the clock, which makes a worker probe; while it holds the queue, the age of the backlog is not checked. Waits
 * until the probe has ended or is postponed by an overdue check, so that the next check finds the queue.
 */
async function passTo(at: number): Promise<void> {
  two.clock.advance(at - two.clock.now())
  await waitUntil('no worker probes', IN_TIME_MS, async () => {
    const queue = await explain()
    if (queue === null) return true
    const { isLeased, dueAt, alertAt } = queue
    const isDue = dueAt !== null && dueAt <= at
    const isCheckFirst = alertAt !== null && alertAt <= at && at < alertAt + CHECK_FIRST_MS
    return !isLeased && (!isDue || isCheckFirst)
  })
}

async function alertAfter(ms: number, startedAt: number): Promise<void> {
  await passTo(startedAt + ms)
  await alert()
}

describe('an old backlog', () => {
  test('raises alerts by mail and log, daily from two days and hourly from five [HOOK-28]', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(503)
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
      const before = (await logged('email')).length
      await alertAfter(ms, startedAt)
      const after = (await logged('email')).length
      if (after > before) alertHours.push(ms / HOUR_MS)
      expect(after - before).toBeLessThanOrEqual(1)
      await mailsFor(after)
    }
    expect(alertHours).toEqual([48, 72, 96, 120, 121, 122])
    const [row] = await logged('email')
    expect(row).toMatchObject({ metadata: { webhook_id: hook.id, cause: 'failing', backlog_count: 1 } })
    const [mail] = await mailsFor(6)
    expect(mail?.subject).toContain(new URL(hook.receiver.url).host)
    expect(mail?.text).toContain('answered 503')
    expect(mail?.text).toContain('What to do:')
    expect(mail?.text).toContain('data is lost from')
  })

  test('raises one alert, however many workers check', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(500)
    await passTo(startedAt + 2 * DAY_MS)
    await Promise.all([alert(), alert(), alert(), alert()])
    expect(await logged('email')).toHaveLength(1)
    await mailsFor(1)
  })

  test('raises no alert any more once it is delivered', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(500)
    hook.receiver.behave(() => 200)
    two.clock.advance(DAY_MS)
    await hook.becomes('running')
    await alertAfter(3 * DAY_MS, startedAt)
    expect(await logged('email')).toEqual([])
  })

  test('raises at most hourly alerts, also while events expire all the time', limits, async () => {
    expect((await hook.act('pause')).status).toBe(200)
    const startedAt = two.clock.now()
    for (let events = 0; events < 72; events += 1) {
      await hooks.append()
      two.clock.advance(DAY_MS / 72)
    }
    two.clock.advance(startedAt + 7 * DAY_MS - 1 - two.clock.now())
    await alert()
    const before = (await logged('email')).length
    for (let checks = 0; checks < 72; checks += 1) {
      two.clock.advance(DAY_MS / 72)
      await alert()
    }
    const alerts = (await logged('email')).length - before + (await logged('purge')).length
    expect(alerts).toBeLessThanOrEqual(26)
    expect(alerts).toBeGreaterThanOrEqual(23)
  })

  test('is reported with its cause: paused by the company', limits, async () => {
    const startedAt = two.clock.now()
    expect((await hook.act('pause')).status).toBe(200)
    await hooks.append()
    await alertAfter(2 * DAY_MS, startedAt)
    const [mail] = await mailsFor(1)
    expect(mail?.text).toContain('the webhook was paused')
    expect(await logged('email')).toMatchObject([{ metadata: { cause: 'paused' } }])
  })

  test('of a deleted service raises no alert', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(500)
    expect((await hooks.portal('DELETE', `/api/services/${hooks.desk.serviceId}`)).status).toBe(204)
    const before = two.mail.taken.length
    await alertAfter(2 * DAY_MS, startedAt)
    expect(two.mail.taken.slice(before).filter(({ text }) => text.includes(hook.id))).toEqual([])
  })
})

describe('after seven days', () => {
  test('an event of a backlog expires, which is reported once, and younger events stay [HOOK-29]', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(503)
    await passTo(startedAt + DAY_MS)
    const [younger] = await hooks.append()
    await alertAfter(7 * DAY_MS - 1, startedAt)
    expect(await logged('purge')).toEqual([])
    expect(await hook.health()).toMatchObject({ backlog_count: 2 })

    two.clock.advance(1)
    expect(await hook.health()).toMatchObject({ backlog_count: 1 })
    await passTo(startedAt + 7 * DAY_MS + HOUR_MS)
    await alert()
    await alert()
    expect(await logged('purge')).toMatchObject([
      { metadata: { webhook_id: hook.id, purged_count: 1, backlog_count: 1 } },
    ])
    const mails = await mailsFor((await logged('email')).length + 1)
    const lost = mails.filter(({ subject }) => subject.includes('were lost'))
    expect(lost).toHaveLength(1)
    expect(lost[0]?.text).toContain('cannot be brought back')

    const before = hook.receiver.all.length
    hook.receiver.behave(() => 200)
    two.clock.advance(600_000)
    await hook.becomes('running')
    const taken = hook.receiver.all.slice(before).map(({ eventId }) => eventId)
    expect(new Set(taken)).toEqual(new Set([younger]))
  })

  test('the loss of a whole backlog is reported, also when a worker claims the queue first', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(503)
    await alertAfter(7 * DAY_MS - 1, startedAt)
    const before = hook.receiver.all.length
    two.clock.advance(600_000)
    await hook.becomes('running')
    expect(hook.receiver.all.length).toBeLessThanOrEqual(before + 1)
    await alert()
    expect(await logged('purge')).toMatchObject([{ metadata: { purged_count: 1, backlog_count: 0, cause: 'over' } }])
    await alert()
    two.clock.advance(3 * DAY_MS)
    await alert()
    expect(await logged('purge')).toHaveLength(1)
  })

  test('and one more day expired events are deleted from the database [RETAIN-08]', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(503)
    expect(await countRows(startedAt)).toBe(1)
    two.clock.advance(8 * DAY_MS + HOUR_MS)
    await hooks.append()
    for (const { run } of two.eu.modules.feed.chores ?? []) await run()
    await alert()
    expect(await countRows(startedAt)).toBe(0)
    expect(await countRows(two.clock.now())).toBe(1)
    expect(await hook.health()).toMatchObject({ backlog_count: 1 })
  })

  test(
    'events expire in the pull feed as well, and a failed webhook is probed after ten minutes [LIMIT-02]',
    limits,
    async () => {
      await failWith(503)
      const failedAt = two.clock.now()
      expect((await explain())?.dueAt).toBe(failedAt + 600_000)
      const before = hook.receiver.all.length
      hook.receiver.behave(() => 500)
      two.clock.advance(600_000)
      await hook.receiver.take(before + 1)

      const [first] = await hooks.append()
      two.clock.advance(1000)
      await hooks.append()
      two.clock.advance(failedAt + 600_000 + 7 * DAY_MS - 1 - two.clock.now())
      expect(await drainOne()).toMatchObject([{ id: first }])
      expect(await hook.health()).toMatchObject({ backlog_count: 2 })
      two.clock.advance(1001)
      expect(await drainOne()).toEqual([])
      expect(await hook.health()).toMatchObject({ backlog_count: 0 })
    },
  )
})
