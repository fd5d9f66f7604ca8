import type { Instant } from '@sealpost/kernel'
import type { LossHandler } from './contracts.ts'
import type { BusNeeds } from './needs.ts'
import { deleteExpired } from './store/asks.ts'
import {
  carryOver,
  createDay,
  type Day,
  dropDay,
  hasUnconfirmed,
  markClear,
  nextDay,
  type OutboxDay,
  readAttachedObjects,
  readDays,
} from './store/days.ts'
import { markReconciled, readOpenLosses } from './store/exchange.ts'

const DAYS_AHEAD = 14
const HOUR_MS = 3_600_000
const EXPIRED_AT_ONCE = 1000
const LOSSES_AT_ONCE = 100

/** Everything that is due besides sending and receiving; safe to run anywhere, any number of times. */
export async function runUpkeep(
  needs: BusNeeds,
  historyHours: number,
  lossHandlers: readonly LossHandler[],
): Promise<void> {
  await prepareDays(needs)
  await endDays(needs, historyHours)
  while ((await expireOutcomes(needs)) === EXPIRED_AT_ONCE) continue
  if (lossHandlers.length > 0) await reconcileLosses(needs, lossHandlers)
}

/** The outbox has a table per day, made well ahead: a tell must never find its day missing. */
export async function prepareDays(needs: BusNeeds): Promise<void> {
  const existing = new Set((await needs.database.read(readDays)).map(({ day }) => day))
  let day = dayOf(needs.clock.now())
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    const wanted = day
    if (!existing.has(wanted)) await needs.database.transaction((tx) => createDay(tx, wanted))
    day = nextDay(wanted)
  }
}

/**
 * [Note: history] Rows stay for `historyHours` after the last of their day was confirmed, because a peer restored from a
 * backup needs them again. What is still unconfirmed that long after its day moves to the present one.
 */
async function endDays(needs: BusNeeds, historyHours: number): Promise<void> {
  const now = needs.clock.now()
  const today = dayOf(now)
  const keptMs = historyHours * HOUR_MS
  for (const day of await needs.database.read(readDays)) {
    if (day.day >= today) break
    const isUnconfirmed = await needs.database.read((read) => hasUnconfirmed(read, day.day))
    if (day.clearAt === null) await clearDay(needs, day, { now, keptMs, isUnconfirmed })
    // Written before midnight and committed after the day was found clear: it moves on instead of going with its day.
    else if (isUnconfirmed) await carryOverDay(needs, day.day, now)
    else if (day.clearAt + keptMs <= now) await removeDay(needs, day.day)
  }
}

interface DayState {
  readonly now: Instant
  readonly keptMs: number
  readonly isUnconfirmed: boolean
}

async function clearDay(needs: BusNeeds, { day }: OutboxDay, { now, keptMs, isUnconfirmed }: DayState): Promise<void> {
  const isOverdue = Date.parse(`${nextDay(day)}T00:00:00Z`) + keptMs <= now
  if (isOverdue || !isUnconfirmed) await carryOverDay(needs, day, now)
}

async function carryOverDay(needs: BusNeeds, day: Day, now: Instant): Promise<void> {
  await needs.database.transaction(async (tx) => {
    await carryOver(tx, day, dayOf(now))
    await markClear(tx, day, now)
  })
}

/** The sender's objects go with the rows that could still need them. */
async function removeDay(needs: BusNeeds, day: Day): Promise<void> {
  const objectKeys = await needs.database.read((read) => readAttachedObjects(read, day))
  for (const objectKey of objectKeys) await needs.attachments?.remove(objectKey)
  await needs.database.transaction((tx) => dropDay(tx, day))
  needs.telemetry.log.info({ day, objects: objectKeys.length }, 'a day of the outbox has ended')
}

function expireOutcomes(needs: BusNeeds): Promise<number> {
  return needs.database.transaction((tx) => deleteExpired(tx, needs.clock.now(), EXPIRED_AT_ONCE))
}

async function reconcileLosses(needs: BusNeeds, handlers: readonly LossHandler[]): Promise<void> {
  for (const loss of await needs.database.read((read) => readOpenLosses(read, LOSSES_AT_ONCE))) {
    await needs.database
      .transaction(async (tx) => {
        if (!(await markReconciled(tx, loss, needs.clock.now()))) return
        for (const handle of handlers) await handle(tx, loss)
      })
      .catch((error: unknown) => {
        needs.telemetry.log.error({ ...loss, error: String(error) }, 'a loss could not be reconciled yet; trying again')
      })
  }
}

function dayOf(at: Instant): Day {
  return new Date(at).toISOString().slice(0, 10)
}
