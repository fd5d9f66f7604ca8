import type { CallOptions } from '../options.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import { type ServiceSeal, sealFor, trustedRecord } from './connection-record.ts'
import { listOwnConnections, type OwnConnection } from './own-connections.ts'
import type { CustomerSession } from './session.ts'

/** A slot of a service that follows a field of the customer. */
export interface LiveSlot {
  readonly connectionId: string
  readonly slug: string
  readonly service: ServiceSeal
}

/** A slot that the server has asked for. */
export interface AskedSlot {
  readonly connection_id: string
  readonly slug: string
}

/**
 * Throws when the server shows a connection or a link that no device of this account made. `asked`: links to answers of
 * flows are no mappings of a connection, so a refusal names them.
 */
export async function liveSlotsOf(
  session: CustomerSession,
  fieldId: string,
  asked: readonly AskedSlot[],
  options: CallOptions,
): Promise<readonly LiveSlot[]> {
  const slots: LiveSlot[] = []
  for await (const connection of listOwnConnections(session.send, options)) {
    const named = asked.filter(({ connection_id: id }) => id === connection.id).map(({ slug }) => slug)
    const slugs = [...new Set([...slugsFedBy(connection, fieldId), ...named])]
    if (slugs.length > 0) slots.push(...(await slotsOf(session, connection, fieldId, slugs)))
  }
  return slots
}

async function slotsOf(
  session: CustomerSession,
  connection: OwnConnection,
  fieldId: string,
  slugs: readonly string[],
): Promise<readonly LiveSlot[]> {
  const { id: connectionId, services } = connection
  const record = await trustedRecord(session, connection)
  const unknown = slugs.find((slug) => record.links[slug] !== fieldId)
  if (unknown !== undefined) throw new UntrustedAnswerError('mapping_unknown', `connection ${connectionId}, ${unknown}`)
  const seals = await Promise.all(services.map(({ public_key: key }) => sealFor(session, record, key)))
  return seals.flatMap((service) => slugs.map((slug) => ({ connectionId, slug, service })))
}

function slugsFedBy({ services }: OwnConnection, fieldId: string): readonly string[] {
  const mappings = services.flatMap((service) => service.mappings)
  return mappings.filter(({ live, source_field_id: source }) => live && source === fieldId).map(({ slug }) => slug)
}
