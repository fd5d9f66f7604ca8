import type { ConnectionId, ServiceId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Connection, ServiceCard } from '../connection.ts'
import { announce, type CustomerNews } from '../events.ts'
import type { CustomerNeeds } from '../needs.ts'
import { rowsFor } from '../rules/rows.ts'
import { findCard } from '../store/cards.ts'
import { deleteConnections, lockOfService } from '../store/connections.ts'
import { changeCount } from '../store/customers.ts'
import { claimFanOut, deleteFanOut, type FanOut, listDueServices, moveFanOut } from '../store/fan-outs.ts'
import { deleteGoneRows, listDecided } from '../store/mappings.ts'

type JobNeeds = Pick<CustomerNeeds, 'database' | 'clock' | 'ids'>

const CONNECTIONS_AT_ONCE = 500
const SERVICES_AT_ONCE = 100

/**
 * What concerns a whole service is told once per region; here it reaches the connections. Each step is a transaction that
 * moves its own mark, so a worker that dies leaves nothing half done and nothing done twice.
 */
export async function advanceFanOuts(needs: JobNeeds, isOver: () => boolean = () => false): Promise<void> {
  for (const serviceId of await needs.database.read((read) => listDueServices(read, SERVICES_AT_ONCE))) {
    while (!isOver() && (await needs.database.transaction((tx) => takeStep(needs, tx, serviceId)))) continue
  }
}

/** False when nothing is left, or another worker has it. */
async function takeStep(needs: JobNeeds, tx: Tx, serviceId: ServiceId): Promise<boolean> {
  const job = await claimFanOut(tx, serviceId)
  if (job === null) return false
  const page = await lockOfService(tx, serviceId, { after: job.after, limit: CONNECTIONS_AT_ONCE })
  const last = page.at(-1)
  if (last === undefined || page.length < CONNECTIONS_AT_ONCE) await deleteFanOut(tx, job)
  else await moveFanOut(tx, job, last)
  const card = await findCard(tx, serviceId)
  if (page.length > 0)
    await (job.kind === 'end' ? endAll(needs, tx, page, card) : inform(needs, tx, { job, page, card }))
  return true
}

async function endAll(needs: JobNeeds, tx: Tx, page: readonly Connection[], card: ServiceCard | null): Promise<void> {
  const byAccount = Map.groupBy(page, ({ accountId }) => accountId)
  for (const [accountId, connections] of byAccount) {
    await deleteConnections(
      tx,
      accountId,
      connections.map(({ id }) => id),
    )
    await changeCount(tx, accountId, -connections.length)
  }
  await announce(
    tx,
    needs,
    card,
    page.map((connection) => ({ kind: 'connection_deleted', connection })),
  )
}

interface Step {
  readonly job: FanOut
  readonly page: readonly Connection[]
  readonly card: ServiceCard | null
}

async function inform(needs: JobNeeds, tx: Tx, { job, page, card }: Step): Promise<void> {
  if (job.goneRows.length > 0) await deleteGoneRows(tx, page, job.goneRows)
  const news: CustomerNews[] = []
  if (job.isCardChanged) news.push(...page.map((connection): CustomerNews => ({ kind: 'share_changed', connection })))
  if (job.newRows.length > 0 && card !== null) {
    const asked = await findAsked(tx, { job, page, card })
    news.push(
      ...page
        .filter(({ id }) => asked.has(id))
        .map((connection): CustomerNews => ({ kind: 'consent_requested', connection })),
    )
  }
  await announce(tx, needs, card, news)
}

/** The companies that a new row is meant for and that have not decided on it: they may have connected knowing it. */
async function findAsked(
  tx: Tx,
  { job, page, card }: Step & { readonly card: ServiceCard },
): Promise<ReadonlySet<ConnectionId>> {
  const companies = page.filter(({ userType }) => userType === 'company')
  const ofCompanies = new Set(rowsFor(card.facts.rows, 'company').map(({ id }) => id))
  const rows = job.newRows.filter((id) => ofCompanies.has(id))
  if (rows.length === 0 || companies.length === 0) return new Set()
  const decided = Map.groupBy(await listDecided(tx, companies, rows), ({ connectionId }) => connectionId)
  return new Set(companies.map(({ id }) => id).filter((id) => (decided.get(id)?.length ?? 0) < rows.length))
}
