import { type EventId, formatInstant } from '@sealpost/kernel'
import { findQuarantinedEvent, type QuarantinedEvent, readQuarantine } from '../../modules/feed/index.ts'
import type { Region } from '../../region.ts'

/** Which events were kept aside, because they do not match the schema of their kind. */
export async function diagnoseEvents(region: Region): Promise<string> {
  const lines = await listQuarantinedEvents(region)
  return lines.length === 0 ? 'no event is kept' : lines.join('\n')
}

/** The lines of the general report: nothing while no event is kept. */
export async function listQuarantinedEvents({ modules: { feed } }: Region): Promise<readonly string[]> {
  const { count, events } = await readQuarantine(feed)
  const more = count - events.length
  return [...events.map(describe), ...(more > 0 ? [`${more} older events are kept too`] : [])]
}

/** One event with its payload. */
export async function diagnoseEvent({ modules: { feed } }: Region, id: EventId): Promise<string> {
  const event = await findQuarantinedEvent(feed, id)
  if (event === null) throw new Error(`no kept event is called ${id}: see the doctor’s report of events`)
  const { no, at, connectionId, accountId, ownerId, ownerKind, payload } = event
  const origin = { account_id: accountId, owner_id: ownerId, owner_kind: ownerKind, no, connection_id: connectionId }
  return [describe(event), JSON.stringify({ ...origin, at: formatInstant(at), payload })].join('\n')
}

function describe({ id, kind, ownerId, reader, reason, quarantinedAt }: QuarantinedEvent): string {
  const what = `event ${id} (${kind} of ${ownerId}) does not match its schema`
  const met = `met by ${reader} at ${formatInstant(quarantinedAt)}`
  return `${what}: ${reason}; ${met}; operate events:retry ${id} once the cause is gone, or events:discard ${id}`
}
