import { type JobKind, type Jobs, UNTIL_DONE } from '@sealpost/jobs'
import type { Instant, ServiceId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { collapseKey, customerEvents } from '@sealpost/protocol'
import { appendEvents } from '../../../feed/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Connection, ConnectionName, ServiceCard } from '../model.ts'
import { findCard } from '../store/cards.ts'
import { lockOfService } from '../store/connections.ts'

const CONNECTIONS_AT_ONCE = 500

/** A broadcast of a service, which its customers here learn of. */
export interface Announcement {
  readonly serviceId: ServiceId
  /** Only connections to a service of this region are told. */
  readonly companyRegion: string
  readonly kind: 'message' | 'document'
  readonly id: string
  /** Customers who connected later are not told. */
  readonly at: Instant
}

/**
 * One job for all customers of the service in this region, in its own queue: changes of services do not wait for it. The
 * cursor is the last connection that was told.
 */
const announceJob: JobKind<Announcement, ConnectionName> = {
  name: 'connections.announce',
  queue: { name: 'announcements', concurrency: 2 },
  ...UNTIL_DONE,
}

export async function announce(
  { jobs }: Pick<CustomerContext, 'jobs'>,
  tx: Tx,
  announcement: Announcement,
): Promise<void> {
  const { serviceId } = announcement
  await jobs.enqueue(tx, announceJob, { payload: announcement, tenantId: serviceId, key: serviceId })
}

export function handleAnnouncements(context: CustomerContext, jobs: Jobs): void {
  jobs.handle(announceJob, {
    async step(tx, { payload: announcement, cursor: after, done }) {
      const { serviceId } = announcement
      const page = await lockOfService(tx, serviceId, { after, limit: CONNECTIONS_AT_ONCE })
      const card = await findCard(tx, serviceId)
      if (card !== null && !card.isEnded) await reach(context, tx, { announcement, page, card })
      const last = page.at(-1)
      if (last === undefined || page.length < CONNECTIONS_AT_ONCE) return { next: 'done' }
      return { next: 'more', cursor: { accountId: last.accountId, id: last.id }, done: done + page.length }
    },
  })
}

interface Step {
  readonly announcement: Announcement
  readonly page: readonly Connection[]
  readonly card: ServiceCard
}

/** Companies have a feed, which tells of messages only; the devices of persons read again. */
async function reach(context: CustomerContext, tx: Tx, { announcement, page, card }: Step): Promise<void> {
  const { kind, id, at, companyRegion } = announcement
  const told = page.filter((one) => one.companyRegion === companyRegion && (one.connectedAt ?? Infinity) <= at)
  const companies = kind === 'message' ? told.filter(({ userType }) => userType === 'company') : []
  const persons = told.filter(({ userType }) => userType === 'person')
  if (companies.length > 0) {
    const payload = {
      company_share_code: card.facts.company.share_code,
      service_share_code: card.facts.code,
      message_id: id,
    }
    await appendEvents(
      context,
      tx,
      companies.map(({ accountId, id: connectionId }) => ({
        owner: { kind: 'account', accountId },
        kind: 'message_received',
        connectionId,
        payload,
        key: collapseKey(customerEvents.message_received.collapse, { message_id: id }),
      })),
    )
  }
  if (persons.length === 0) return
  await context.hooks.hint(
    tx,
    persons.map(({ accountId, id: connectionId }) =>
      kind === 'message'
        ? { accountId, kind: 'message_received', id: connectionId }
        : { accountId, kind: 'document_created', id },
    ),
  )
}
