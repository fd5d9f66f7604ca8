import { formatInstant, type Instant, instant, type RequestFieldId } from '@sealpost/kernel'
import type {
  AskedRow,
  Attested,
  Consent,
  CustomerConnection,
  LinkChange,
  ReceivedConnectRequest,
  RequestedField,
  ServiceOffer,
  SlotAnswer,
  SlotChange,
} from '@sealpost/protocol'
import type { RecordDocuments } from './context.ts'
import type { Answered, ConnectRequest, Customer, FoundService, KnownConnection, MadeFile, Mapping } from './model.ts'
import type { Planned, Source } from './rules/decisions.ts'
import { isAnswered } from './rules/remap.ts'
import { pendingRows, rowsFor } from './rules/rows.ts'

/**
 * Rendered from this region's copy of the facts, so it answers while the service's region is away. Without documents for
 * the answers of writes, which do not change them.
 */
export function connectionToWire(known: KnownConnection, documents?: RecordDocuments): CustomerConnection {
  const { connection, card } = known
  return {
    id: connection.id,
    company_connection_id: connection.id,
    customer_type: connection.userType,
    connected_at: formatInstant(connection.connectedAt),
    company: { user_id: connection.companyId, ...card.facts.company },
    company_profile: [...card.facts.card],
    services: [{ ...linkToWire(known), ...documentsToWire(documents) }],
    documents: [],
    ...(connection.deviceRecord === null ? {} : { device_record: connection.deviceRecord }),
  }
}

function documentsToWire(documents?: RecordDocuments) {
  if (documents === undefined) return { documents: [] }
  return { documents: [...documents.documents], documents_total: documents.total }
}

function linkToWire({ connection, card: { facts }, mappings }: KnownConnection) {
  const slugs = new Map(facts.rows.map(({ id, slug }) => [id, slug]))
  const slugOf = ({ requestFieldId }: Mapping): string | undefined => slugs.get(requestFieldId)
  return {
    service_link_id: connection.id,
    service_id: connection.serviceId,
    service_name: facts.name,
    service_code: facts.code,
    public_key: connection.servicePublicKey,
    request_fields: rowsFor(facts.rows, connection.userType).map(rowToWire),
    shared: [...facts.card],
    photo_ids: [...facts.photo_ids],
    // A row that the service no longer asks for has no slug; its mapping is about to be deleted.
    mappings: mappings.filter(isAnswered).flatMap((mapping) => {
      const slug = slugOf(mapping)
      return slug === undefined ? [] : [mappingToWire(mapping, slug)]
    }),
    pending_consent: pendingRows(facts.rows, connection.userType, mappings).map(({ slug }) => slug),
    declined: mappings.filter((mapping) => !isAnswered(mapping)).flatMap((mapping) => slugOf(mapping) ?? []),
  }
}

function rowToWire({ field_type: resolved_type, ...row }: AskedRow): RequestedField {
  return { ...row, field_type: row.type, resolved_type }
}

function mappingToWire({ requestFieldId, kind, live, sourceFieldId, providedAt }: Answered, slug: string) {
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
export function consentToWire({ connection, card, mappings }: KnownConnection): Consent | null {
  const pending = pendingRows(card.facts.rows, connection.userType, mappings)
  if (pending.length === 0) return null
  const since: Instant = instant(Math.max(connection.connectedAt, card.rowsAt))
  return {
    id: connection.id,
    connection_id: connection.id,
    service_link_id: connection.id,
    request_fields: pending.map(rowToWire),
    created_at: formatInstant(since),
  }
}

export function requestToWire(request: ConnectRequest): ReceivedConnectRequest {
  return {
    id: request.id,
    company: { user_id: request.companyId, display_name: request.companyName, share_code: request.companyCode },
    service: { service_id: request.serviceId, name: request.serviceName, code: request.serviceCode },
    message: request.message,
    created_at: formatInstant(request.createdAt),
    expires_at: formatInstant(request.expiresAt),
  }
}

export function offerToWire({ companyId, facts }: FoundService, { userType }: Customer): ServiceOffer {
  return {
    company: { user_id: companyId, ...facts.company },
    service: {
      service_id: facts.service_id,
      name: facts.name,
      code: facts.code,
      audience: facts.audience,
      require_2fa: facts.require_2fa ?? false,
    },
    public_key: facts.public_key,
    request_fields: rowsFor(facts.rows, userType).map(rowToWire),
  }
}

/** A decision, as the service side is told of it. */
export function answerToWire(
  { row, live, source, content, senderSignature }: Planned,
  file: MadeFile | null,
  { rev, at }: { readonly rev: number; readonly at: Instant },
): SlotAnswer {
  return {
    request_field_id: row.id,
    rev,
    live,
    is_private: source?.value.isPrivate ?? false,
    value: content.from === 'wrapper' ? content.wrapper : null,
    file: file === null ? null : fileToWire(file),
    ...signatureToWire(senderSignature),
    attested: attestationToWire(source?.attestation ?? null),
    at: formatInstant(at),
  }
}

export function signatureToWire(signature: string | null): { readonly sender_signature?: string } {
  return signature === null ? {} : { sender_signature: signature }
}

export function fileToWire({ form, contentType, sha256, bytes }: Omit<MadeFile, 'objectKey'>) {
  return { form, content_type: contentType, sha256, bytes }
}

export function attestationToWire(attestation: Source['attestation']): Attested | null {
  if (attestation === null) return null
  const { hash, salt, verifiedAt, expiresAt, source, statement } = attestation
  return {
    verified_hash: hash,
    verified_salt: salt,
    verified_at: formatInstant(verifiedAt),
    verified_expires_at: expiresAt === null ? null : formatInstant(expiresAt),
    verified_method: source?.method ?? null,
    verified_provider: source?.provider ?? null,
    verification_id: source?.verificationId ?? null,
    ...(statement === undefined ? {} : { verified_statement: statement }),
  }
}

/** The slot is emptied and pending again. */
export function withdrawalToWire(id: RequestFieldId, rev: number, at: Instant): SlotChange {
  return { act: 'drop', request_field_id: id, rev, at: formatInstant(at) }
}

/** The service no longer reads the field; the answers of runs stay. */
export function linkDropToWire(
  { flowId, slug }: { readonly flowId: string; readonly slug: string },
  rev: number,
  at: Instant,
): LinkChange {
  return { act: 'drop_link', flow_id: flowId, slug, rev, at: formatInstant(at) }
}
