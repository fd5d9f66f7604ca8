import type { Instant } from '@sealpost/kernel'
import type { BusContext } from './context.ts'
import type { LossHandler } from './contracts.ts'
import { type Day, dayOf, endOf } from './partitions.ts'
import { deleteExpired } from './store/asks.ts'
import {
  carryOver,
  deleteDay,
  emptyDay,
  hasUnconfirmed,
  isReused,
  markClear,
  type OutboxDay,
  readAttachedObjects,
  readDays,
  recordDays,
} from './store/days.ts'
import { markReconciled, readOpenLosses } from './store/exchange.ts'

const HOUR_MS = 3_600_000
const EXPIRED_AT_ONCE = 1000
const LOSSES_AT_ONCE = 100

/** Periodic work besides sending and receiving; safe to run in any process, any number of times. */
export async function runUpkeep(
  context: BusContext,
  historyHours: number,
  lossHandlers: readonly LossHandler[],
): Promise<void> {
  await startDay(context)
  await endDays(context, historyHours)
  while ((await expireOutcomes(context)) === EXPIRED_AT_ONCE) continue
  if (lossHandlers.length > 0) await reconcileLosses(context, lossHandlers)
}

/** Records today for later removal. A tell does not depend on it: its partition always exists. */
async function startDay(context: BusContext): Promise<void> {
  await context.database.transaction((tx) => recordDays(tx, dayOf(context.clock.now())))
}

/**
 * Rows stay for `historyHours` after the last of their day was confirmed, because a peer restored from a backup needs
 * them again. Rows that are still unconfirmed that long after their day move to the current day.
 */
async function endDays(context: BusContext, historyHours: number): Promise<void> {
  const now = context.clock.now()
  const today = dayOf(now)
  const keptMs = historyHours * HOUR_MS
  for (const day of await context.database.read(readDays)) {
    if (day.day >= today) break
    const isUnconfirmed = await context.database.read((read) => hasUnconfirmed(read, day.day))
    if (day.clearAt === null) await clearDay(context, day, { now, keptMs, isUnconfirmed })
    // Written before midnight and committed after the day was found clear: it moves to the current day instead of being
    // removed with its own.
    else if (isUnconfirmed) await carryOverDay(context, day.day, now)
    else if (day.clearAt + keptMs <= now) await removeDay(context, day.day)
  }
}

interface DayState {
  readonly now: Instant
  readonly keptMs: number
  readonly isUnconfirmed: boolean
}

async function clearDay(
  context: BusContext,
  { day }: OutboxDay,
  { now, keptMs, isUnconfirmed }: DayState,
): Promise<void> {
  const isOverdue = endOf(day) + keptMs <= now
  if (isOverdue || !isUnconfirmed) await carryOverDay(context, day, now)
}

async function carryOverDay(context: BusContext, day: Day, now: Instant): Promise<void> {
  await context.database.transaction(async (tx) => {
    await carryOver(tx, day, dayOf(now))
    await markClear(tx, day, now)
  })
}

/** The sender's objects are removed with the rows that could still need them. */
async function removeDay(context: BusContext, day: Day): Promise<void> {
  // Late by more than one rotation of the partitions: its rows and objects are removed with those of the later day.
  if (await context.database.read((read) => isReused(read, day))) {
    return context.database.transaction((tx) => deleteDay(tx, day))
  }
  const objectKeys = await context.database.read((read) => readAttachedObjects(read, day))
  for (const objectKey of objectKeys) await context.attachments?.remove(objectKey)
  const isEmptied = await context.database.transaction(async (tx) => {
    if (!(await emptyDay(tx, day))) return false
    await deleteDay(tx, day)
    return true
  })
  if (isEmptied) context.telemetry.log.info({ day, objects: objectKeys.length }, 'a day of the outbox has ended')
}

function expireOutcomes(context: BusContext): Promise<number> {
  return context.database.transaction((tx) => deleteExpired(tx, context.clock.now(), EXPIRED_AT_ONCE))
}

async function reconcileLosses(context: BusContext, handlers: readonly LossHandler[]): Promise<void> {
  for (const loss of await context.database.read((read) => readOpenLosses(read, LOSSES_AT_ONCE))) {
    await context.database
      .transaction(async (tx) => {
        if (!(await markReconciled(tx, loss, context.clock.now()))) return
        for (const handle of handlers) await handle(tx, loss)
      })
      .catch((error: unknown) => {
        context.telemetry.log.error(
          { ...loss, error: String(error) },
          'a loss could not be reconciled yet; trying again',
        )
      })
  }
}
