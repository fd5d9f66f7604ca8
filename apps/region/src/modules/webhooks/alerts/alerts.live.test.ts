import type { WebhookId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { type HookDesk, openHooks, startTwoRegions, type TestHook, type TwoRegions, waitUntil } from '@sealpost/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { explainOutlet, findOutletName, type OutletExplained, tidyFeed } from '../../feed/index.ts'
import { tellStaleQueues } from './tell.ts'

const limits = { timeout: 60_000 }
const IN_TIME_MS = 15_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** So long after its time a look at a backlog's age goes before a probe. */
const LOOK_FIRST_MS = 300_000

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

const needs = () => ({ ...two.eu.core.webhooks, mail: two.eu.core.mail })
const tell = (): Promise<void> => tellStaleQueues(needs())

/** The endpoint fails, so that what comes from now on waits. */
async function failWith(status: number): Promise<void> {
  hook.receiver.behave(() => status)
  await hooks.append()
  await hook.becomes('bad')
}

async function logged(type: 'email' | 'purge'): Promise<readonly Record<string, unknown>[]> {
  return (await hooks.logs()).filter((row) => row['type'] === type)
}

/** As many mails about this webhook as rows in its log, once they have come; none that is not in the log. */
async function mailsFor(count: number): Promise<readonly { readonly subject: string; readonly text: string }[]> {
  const mine = () => two.mail.taken.filter(({ text }) => text.includes(hook.id))
  await waitUntil(`${count} mails came`, IN_TIME_MS, () => mine().length >= count)
  expect(mine()).toHaveLength(count)
  return mine()
}

/** The oldest of the pull feed, which is then gone from it. */
async function drainOne(): Promise<unknown> {
  const headers = { authorization: `Bearer ${await hooks.desk.token()}` }
  const answer = await fetch(`${two.eu.url}/api/company-data/changes?limit=1`, { headers })
  const body: Readonly<Record<string, unknown>> = JSON.parse(await answer.text())
  return body['changes']
}

async function countRows(before: number): Promise<number> {
  const sql = `select count(*)::int as rows from feed.event where owner_id = $1 and at <= to_timestamp($2 / 1000.0)`
  const [row] = await two.eu.core.database.read((read) =>
    runStatement<{ rows: number }>(read, sql, [hooks.desk.serviceId, before]),
  )
  return row?.rows ?? -1
}

function explain(): Promise<OutletExplained | null> {
  return two.eu.core.database.read(async (read) => {
    const name = await findOutletName(read, hook.id as WebhookId)
    return name === null ? null : explainOutlet(read, name, two.clock.now())
  })
}

/**
 * Time that passes makes a worker probe, and for as long as it does nobody looks at the age of the backlog. Waits until
 * that is over, so that whoever looks next finds the webhook; a worker that lets such a look go first comes after it.
 */
async function passTo(at: number): Promise<void> {
  two.clock.advance(at - two.clock.now())
  await waitUntil('no worker probes', IN_TIME_MS, async () => {
    const outlet = await explain()
    if (outlet === null) return true
    const { isLeased, dueAt, alertAt } = outlet
    const isDue = dueAt !== null && dueAt <= at
    const isLookFirst = alertAt !== null && alertAt <= at && at < alertAt + LOOK_FIRST_MS
    return !isLeased && (!isDue || isLookFirst)
  })
}

async function tellAt(ms: number, startedAt: number): Promise<void> {
  await passTo(startedAt + ms)
  await tell()
}

describe('a backlog that stands still', () => {
  test('is told daily from two days on and hourly from five, by mail and in the log [HOOK-28]', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(503)
    const toldAt: number[] = []
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
      await tellAt(ms, startedAt)
      const after = (await logged('email')).length
      if (after > before) toldAt.push(ms / HOUR_MS)
      expect(after - before).toBeLessThanOrEqual(1)
      await mailsFor(after)
    }
    expect(toldAt).toEqual([48, 72, 96, 120, 121, 122])
    const [row] = await logged('email')
    expect(row).toMatchObject({ metadata: { webhook_id: hook.id, cause: 'failing', backlog_count: 1 } })
    const [mail] = await mailsFor(6)
    expect(mail?.subject).toContain(new URL(hook.receiver.url).host)
    expect(mail?.text).toContain('answered 503')
    expect(mail?.text).toContain('What to do:')
    expect(mail?.text).toContain('data is lost from')
  })

  test('is told once, however many workers look at it', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(500)
    await passTo(startedAt + 2 * DAY_MS)
    await Promise.all([tell(), tell(), tell(), tell()])
    expect(await logged('email')).toHaveLength(1)
    await mailsFor(1)
  })

  test('is not told of any more once it is delivered', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(500)
    hook.receiver.behave(() => 200)
    two.clock.advance(DAY_MS)
    await hook.becomes('running')
    await tellAt(3 * DAY_MS, startedAt)
    expect(await logged('email')).toEqual([])
  })

  test('is told hourly at most, also while rows are lost all the time', limits, async () => {
    expect((await hook.act('pause')).status).toBe(200)
    const startedAt = two.clock.now()
    for (let events = 0; events < 72; events += 1) {
      await hooks.append()
      two.clock.advance(DAY_MS / 72)
    }
    two.clock.advance(startedAt + 7 * DAY_MS - 1 - two.clock.now())
    await tell()
    const before = (await logged('email')).length
    for (let looks = 0; looks < 72; looks += 1) {
      two.clock.advance(DAY_MS / 72)
      await tell()
    }
    const told = (await logged('email')).length - before + (await logged('purge')).length
    expect(told).toBeLessThanOrEqual(26)
    expect(told).toBeGreaterThanOrEqual(23)
  })

  test('says why: paused by its company', limits, async () => {
    const startedAt = two.clock.now()
    expect((await hook.act('pause')).status).toBe(200)
    await hooks.append()
    await tellAt(2 * DAY_MS, startedAt)
    const [mail] = await mailsFor(1)
    expect(mail?.text).toContain('the webhook was paused')
    expect(await logged('email')).toMatchObject([{ metadata: { cause: 'paused' } }])
  })

  test('of a service that is gone tells nobody', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(500)
    expect((await hooks.portal('DELETE', `/api/services/${hooks.desk.serviceId}`)).status).toBe(204)
    const before = two.mail.taken.length
    await tellAt(2 * DAY_MS, startedAt)
    expect(two.mail.taken.slice(before).filter(({ text }) => text.includes(hook.id))).toEqual([])
  })
})

describe('seven days', () => {
  test(
    'are all that a row of a backlog is kept: it is lost, told once, and younger ones stay [HOOK-29]',
    limits,
    async () => {
      const startedAt = two.clock.now()
      await failWith(503)
      await passTo(startedAt + DAY_MS)
      const [younger] = await hooks.append()
      await tellAt(7 * DAY_MS - 1, startedAt)
      expect(await logged('purge')).toEqual([])
      expect(await hook.health()).toMatchObject({ backlog_count: 2 })

      two.clock.advance(1)
      expect(await hook.health()).toMatchObject({ backlog_count: 1 })
      await passTo(startedAt + 7 * DAY_MS + HOUR_MS)
      await tell()
      await tell()
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
    },
  )

  test('a backlog that is lost as a whole is told of, also when a worker looks first', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(503)
    await tellAt(7 * DAY_MS - 1, startedAt)
    const before = hook.receiver.all.length
    two.clock.advance(600_000)
    await hook.becomes('running')
    expect(hook.receiver.all.length).toBeLessThanOrEqual(before + 1)
    await tell()
    expect(await logged('purge')).toMatchObject([{ metadata: { purged_count: 1, backlog_count: 0, cause: 'over' } }])
    await tell()
    two.clock.advance(3 * DAY_MS)
    await tell()
    expect(await logged('purge')).toHaveLength(1)
  })

  test('and a day later nothing of such events is left in the database [RETAIN-08]', limits, async () => {
    const startedAt = two.clock.now()
    await failWith(503)
    expect(await countRows(startedAt)).toBe(1)
    two.clock.advance(8 * DAY_MS + HOUR_MS)
    await hooks.append()
    await tidyFeed(two.eu.core.feed)
    await tell()
    expect(await countRows(startedAt)).toBe(0)
    expect(await countRows(two.clock.now())).toBe(1)
    expect(await hook.health()).toMatchObject({ backlog_count: 1 })
  })

  test(
    'hold for the pull feed as well, and a failed webhook is probed after ten minutes [LIMIT-02]',
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
