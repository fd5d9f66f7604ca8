import type { ConnectionId, ServiceId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { startLoop } from '@sealpost/process'
import type { Closable } from '../../../../platform/module.ts'
import type { CustomerContext } from '../context.ts'
import type { Connection, FanOut, ServiceCard } from '../model.ts'
import { rowsFor } from '../rules/rows.ts'
import { findCard } from '../store/cards.ts'
import { deleteConnections, lockOfService } from '../store/connections.ts'
import { changeCount } from '../store/customers.ts'
import { claimFanOut, deleteFanOut, listDueServices, moveFanOut } from '../store/fan-outs.ts'
import { deleteGoneRows, listDecided } from '../store/mappings.ts'
import { appendCustomerEvents, type CustomerEvent } from './append-events.ts'

const POLL_EVERY_MS = 1000
const CONNECTIONS_AT_ONCE = 500
const SERVICES_AT_ONCE = 100

/** Part of the worker role. Row locks divide the work among workers; no step starts while writes are paused. */
export function startFanOuts(context: CustomerContext): Closable {
  return startLoop({
    name: 'the fan-out of service changes',
    log: context.log,
    everyMs: POLL_EVERY_MS,
    firstAfterMs: POLL_EVERY_MS,
    async work(closing) {
      if (!(await context.isPaused())) await advanceFanOuts(context, () => closing.aborted)
    },
  })
}

/**
 * A change of a service is told once per region; this brings it to the connections. Each step is one transaction that
 * advances the cursor of its fan-out, so the crash of a worker neither loses nor repeats a step.
 */
export async function advanceFanOuts(context: CustomerContext, isOver: () => boolean = () => false): Promise<void> {
  for (const serviceId of await context.database.read((read) => listDueServices(read, SERVICES_AT_ONCE))) {
    while (!isOver() && (await context.database.transaction((tx) => takeStep(context, tx, serviceId)))) continue
  }
}

/** False when nothing is left, or another worker has the fan-out. */
async function takeStep(context: CustomerContext, tx: Tx, serviceId: ServiceId): Promise<boolean> {
  const fanOut = await claimFanOut(tx, serviceId)
  if (fanOut === null) return false
  const page = await lockOfService(tx, serviceId, { after: fanOut.after, limit: CONNECTIONS_AT_ONCE })
  const last = page.at(-1)
  if (last === undefined || page.length < CONNECTIONS_AT_ONCE) await deleteFanOut(tx, fanOut)
  else await moveFanOut(tx, fanOut, last)
  const card = await findCard(tx, serviceId)
  if (page.length === 0) return true
  if (fanOut.kind === 'end') await endAll(context, tx, page, card)
  else await applyFacts(context, tx, { fanOut, page, card })
  return true
}

async function endAll(
  context: CustomerContext,
  tx: Tx,
  page: readonly Connection[],
  card: ServiceCard | null,
): Promise<void> {
  const byAccount = Map.groupBy(page, ({ accountId }) => accountId)
  for (const [accountId, connections] of byAccount) {
    await deleteConnections(
      tx,
      accountId,
      connections.map(({ id }) => id),
    )
    await changeCount(tx, accountId, -connections.length)
  }
  const events = page.map((connection): CustomerEvent => ({ kind: 'connection_deleted', connection }))
  await appendCustomerEvents(context, tx, card, events)
}

interface Step {
  readonly fanOut: FanOut
  readonly page: readonly Connection[]
  readonly card: ServiceCard | null
}

async function applyFacts(context: CustomerContext, tx: Tx, { fanOut, page, card }: Step): Promise<void> {
  if (fanOut.goneRows.length > 0) await deleteGoneRows(tx, page, fanOut.goneRows)
  const events: CustomerEvent[] = []
  if (fanOut.isCardChanged) {
    events.push(...page.map((connection): CustomerEvent => ({ kind: 'share_changed', connection })))
  }
  if (fanOut.newRows.length > 0 && card !== null) {
    const asked = await findAsked(tx, { fanOut, page, card })
    events.push(
      ...page
        .filter(({ id }) => asked.has(id))
        .map((connection): CustomerEvent => ({ kind: 'consent_requested', connection })),
    )
  }
  await appendCustomerEvents(context, tx, card, events)
}

/** Companies that a new row asks and that have not decided on it: one may have connected when the row existed already. */
async function findAsked(
  tx: Tx,
  { fanOut, page, card }: Step & { readonly card: ServiceCard },
): Promise<ReadonlySet<ConnectionId>> {
  const companies = page.filter(({ userType }) => userType === 'company')
  const ofCompanies = new Set(rowsFor(card.facts.rows, 'company').map(({ id }) => id))
  const rows = fanOut.newRows.filter((id) => ofCompanies.has(id))
  if (rows.length === 0 || companies.length === 0) return new Set()
  const decided = Map.groupBy(await listDecided(tx, companies, rows), ({ connectionId }) => connectionId)
  return new Set(companies.map(({ id }) => id).filter((id) => (decided.get(id)?.length ?? 0) < rows.length))
}
