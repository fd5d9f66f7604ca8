import { type JobKind, type Jobs, UNTIL_DONE } from '@sealpost/jobs'
import type { ConnectionId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { CustomerContext } from '../context.ts'
import type { Connection, ConnectionName, FanOut, ServiceCard } from '../model.ts'
import { rowsFor } from '../rules/rows.ts'
import { findCard } from '../store/cards.ts'
import { deleteConnections, lockOfService } from '../store/connections.ts'
import { changeCount } from '../store/customers.ts'
import { deleteGoneRows, listDecided } from '../store/mappings.ts'
import { appendCustomerEvents, type CustomerEvent } from './append-events.ts'

const CONNECTIONS_AT_ONCE = 500

/**
 * A change of a service is told once per region; this brings it to the connections. The key is the service, so that its
 * changes arrive in the order of their revisions; the cursor is the last connection that is done.
 */
export const fanOutJob: JobKind<FanOut, ConnectionName> = {
  name: 'connections.fan_out',
  queue: { name: 'fan-outs', concurrency: 4 },
  ...UNTIL_DONE,
}

export async function enqueueFanOut({ jobs }: Pick<CustomerContext, 'jobs'>, tx: Tx, fanOut: FanOut): Promise<void> {
  const { serviceId } = fanOut
  await jobs.enqueue(tx, fanOutJob, { payload: fanOut, tenantId: serviceId, key: serviceId })
}

export function handleFanOuts(context: CustomerContext, jobs: Jobs): void {
  jobs.handle(fanOutJob, {
    async step(tx, { payload: fanOut, cursor: after, done }) {
      const page = await lockOfService(tx, fanOut.serviceId, { after, limit: CONNECTIONS_AT_ONCE })
      await reach(context, tx, { fanOut, page, card: await findCard(tx, fanOut.serviceId) })
      const last = page.at(-1)
      if (last === undefined || page.length < CONNECTIONS_AT_ONCE) return { next: 'done' }
      return { next: 'more', cursor: { accountId: last.accountId, id: last.id }, done: done + page.length }
    },
  })
}

async function reach(context: CustomerContext, tx: Tx, step: Step): Promise<void> {
  const { fanOut, page, card } = step
  if (page.length === 0) return
  if (fanOut.kind === 'end') await endAll(context, tx, page, card)
  else await applyFacts(context, tx, step)
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
    await context.hooks.onEnded(tx, accountId, connections)
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

/** Customers that a new row asks and that have not decided on it: one may have connected when the row existed already. */
async function findAsked(
  tx: Tx,
  { fanOut, page, card }: Step & { readonly card: ServiceCard },
): Promise<ReadonlySet<ConnectionId>> {
  const asked = new Set<ConnectionId>()
  for (const [userType, customers] of Map.groupBy(page, (one) => one.userType)) {
    const ofType = new Set(rowsFor(card.facts.rows, userType).map(({ id }) => id))
    const rows = fanOut.newRows.filter((id) => ofType.has(id))
    if (rows.length === 0) continue
    const decided = Map.groupBy(await listDecided(tx, customers, rows), ({ connectionId }) => connectionId)
    for (const { id } of customers) if ((decided.get(id)?.length ?? 0) < rows.length) asked.add(id)
  }
  return asked
}
