import { formatInstant, type Instant, instant } from '@sealpost/kernel'
import type { Consent, CustomerConnection } from '@sealpost/protocol'
import type { Answered, KnownConnection, Mapping } from './connection.ts'
import { isAnswered } from './rules/remap.ts'
import { pendingRows, rowsFor } from './rules/rows.ts'

/** The customer's record. Rendered from what this region knows, so that it answers while the service's region is away. */
export function showConnection(known: KnownConnection): CustomerConnection {
  const { connection, card } = known
  return {
    id: connection.id,
    company_connection_id: connection.id,
    customer_type: connection.userType,
    connected_at: formatInstant(connection.connectedAt),
    company: { user_id: connection.companyId, ...card.facts.company },
    company_profile: [...card.facts.card],
    services: [showLink(known)],
    documents: [],
  }
}

function showLink({ connection, card: { facts }, mappings }: KnownConnection) {
  const slugs = new Map(facts.rows.map(({ id, slug }) => [id, slug]))
  const slugOf = ({ requestFieldId }: Mapping): string | undefined => slugs.get(requestFieldId)
  return {
    service_link_id: connection.id,
    service_id: connection.serviceId,
    service_name: facts.name,
    service_code: facts.code,
    public_key: connection.servicePublicKey,
    request_fields: [...rowsFor(facts.rows, connection.userType)],
    shared: [...facts.card],
    photo_ids: [...facts.photo_ids],
    // A row that the service asks for no longer has no slug: what was decided about it is on its way out.
    mappings: mappings.filter(isAnswered).flatMap((mapping) => {
      const slug = slugOf(mapping)
      return slug === undefined ? [] : [showMapping(mapping, slug)]
    }),
    pending_consent: pendingRows(facts.rows, connection.userType, mappings).map(({ slug }) => slug),
    declined: mappings.filter((mapping) => !isAnswered(mapping)).flatMap((mapping) => slugOf(mapping) ?? []),
    documents: [],
  }
}

function showMapping({ requestFieldId, kind, live, sourceFieldId, providedAt }: Answered, slug: string) {
  return {
    request_field_id: requestFieldId,
    slug,
    kind,
    live,
    source_field_id: sourceFieldId,
    provided_at: formatInstant(providedAt),
  }
}

/** Null when nothing is pending. */
export function showConsent({ connection, card, mappings }: KnownConnection): Consent | null {
  const pending = pendingRows(card.facts.rows, connection.userType, mappings)
  if (pending.length === 0) return null
  const since: Instant = instant(Math.max(connection.connectedAt, card.rowsAt))
  return {
    id: connection.id,
    connection_id: connection.id,
    service_link_id: connection.id,
    request_fields: [...pending],
    created_at: formatInstant(since),
  }
}
