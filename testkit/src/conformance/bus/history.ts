import type { Attachments } from '@sealpost/bus'
import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { waitUntil } from '../../engines/wait-until.ts'
import { fixedClock } from '../../fixed.ts'
import { type BusParty, type BusSite, EU, note, US, WAIT_MS } from './site.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOON = Date.UTC(2026, 4, 1, 12)

/** Upkeep is the first thing that a started bus does, so a restart at a later hour stands for the time in between. */
export function describeHistory(site: () => BusSite): void {
  test('a tell never finds its day missing, also after weeks in which no upkeep ran', async () => {
    const clock = fixedClock(instant(NOON))
    const eu = await site().open(EU, { clock, roles: { relay: false, inbox: false } })
    for (const days of [0, 1, 15, 16, 17, 40]) {
      clock.set(instant(NOON + days * DAY_MS))
      await eu.tellNote(US, 'k', `after ${days}`)
    }
    await eu.close()
    const later = await openAt(site(), 40 * 24, { database: eu.databaseName })
    const us = await site().open(US)
    expect(await us.waitUntilHeard(6)).toEqual([0, 1, 15, 16, 17, 40].map((days) => `after ${days}`))
    await Promise.all([later.close(), us.close()])
  })

  test('a day whose partition came into use again before it was emptied goes with the later one', async () => {
    const us = await site().open(US)
    const first = await openAt(site(), 0)
    await first.tellNote(US, 'k', 'old')
    await us.waitUntilHeard(1)
    await first.waitUntilConfirmed()
    await first.close()
    const clock = fixedClock(instant(NOON + 16 * DAY_MS))
    const api = await site().open(EU, { clock, roles: { relay: false, inbox: false }, database: first.databaseName })
    await api.tellNote(US, 'k', 'young')
    await api.close()
    const cleared = await openAt(site(), 16 * 24 + 1, { database: first.databaseName })
    await us.waitUntilHeard(2)
    await cleared.waitUntilConfirmed()
    const unclear = "select day from bus.outbox_day where clear_at is null and day < '2026-05-17'"
    await waitUntil('the past days are clear', WAIT_MS, async () => (await cleared.rows(unclear)).length === 0)
    await cleared.close()
    const reused = await openAt(site(), 17 * 24 + 12, { database: first.databaseName })
    const isFirst = async () => (await firstDay(reused))?.day === '2026-05-17'
    await waitUntil('the days before the young one are gone', WAIT_MS, isFirst)
    await waitUntil('the young one is clear', WAIT_MS, async () => (await firstDay(reused))?.clear_at !== null)
    expect(await reused.rows('select key from bus.outbox')).toHaveLength(2)
    await reused.close()
    const ended = await openAt(site(), 19 * 24, { database: first.databaseName })
    await waitUntil('both are gone', WAIT_MS, async () => (await ended.rows('select key from bus.outbox')).length === 0)
    await Promise.all([ended.close(), us.close()])
  })

  test('a confirmed tell stays for the history, then its day goes, and its attachment with it', async () => {
    const removed: string[] = []
    const attachments: Attachments = {
      presign: (objectKey) => Promise.resolve(objectKey),
      has: () => Promise.resolve(true),
      copyIn: (url) => Promise.resolve(`copy of ${url}`),
      keep: () => Promise.resolve(),
      remove: (objectKey) => Promise.resolve(void removed.push(objectKey)),
      store: () => Promise.reject(new Error('no large body here')),
      fetch: () => Promise.reject(new Error('no large body here')),
    }
    const us = await site().open(US, { attachments })
    const eu = await openAt(site(), 0, { attachments })
    await eu.database.transaction((tx) =>
      eu.bus.tell(tx, note, {
        to: US,
        key: 'k',
        body: { text: '1' },
        attachment: { objectKey: 'file', sha256: '', bytes: 1 },
      }),
    )
    await us.waitUntilHeard(1)
    await eu.waitUntilConfirmed()
    await eu.close()
    const cleared = await openAt(site(), 24, { attachments, database: eu.databaseName })
    await waitUntil('the first day is clear', WAIT_MS, async () => (await firstDay(cleared))?.clear_at !== null)
    expect(await cleared.rows('select key from bus.outbox')).toHaveLength(1)
    await cleared.close()
    expect(removed).toEqual([])
    const ended = await openAt(site(), 48, { attachments, database: eu.databaseName })
    await waitUntil('the first day is gone', WAIT_MS, async () => (await firstDay(ended))?.day !== '2026-05-01')
    expect(await ended.rows('select key from bus.outbox')).toEqual([])
    expect(removed).toEqual(['file'])
    await Promise.all([ended.close(), us.close()])
  })

  test('an unconfirmed tell outlives its day and still arrives', async () => {
    const eu = await openAt(site(), 0)
    await eu.tellNote(US, 'k', 'patience')
    await eu.close()
    for (const hours of [24, 48, 72, 96]) {
      const later = await openAt(site(), hours, { database: eu.databaseName })
      const today = new Date(NOON + hours * HOUR_MS).toISOString().slice(0, 10)
      await waitUntil('upkeep has come to today', WAIT_MS, async () => {
        const [last] = await later.rows('select max(day) = $1::date as is_today from bus.outbox_day', [today])
        return last?.is_today === true
      })
      await later.close()
    }
    const late = await openAt(site(), 120, { database: eu.databaseName })
    await waitUntil('the first day is gone', WAIT_MS, async () => (await firstDay(late))?.day !== '2026-05-01')
    const us = await site().open(US)
    expect(await us.waitUntilHeard(1)).toEqual(['patience'])
    await Promise.all([late.close(), us.close()])
  })
}

function openAt(
  site: BusSite,
  hours: number,
  options: { readonly database?: string; readonly attachments?: Attachments } = {},
): Promise<BusParty> {
  return site.open(EU, { clock: fixedClock(instant(NOON + hours * HOUR_MS)), historyHours: 24, ...options })
}

async function firstDay(party: BusParty): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [day] = await party.rows('select day, clear_at from bus.outbox_day order by day limit 1')
  return day
}
