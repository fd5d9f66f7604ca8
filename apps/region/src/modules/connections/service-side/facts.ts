import { type Registry, resolveType } from '@sealpost/field-types'
import type { Read } from '@sealpost/postgres'
import type { AskedRow, ServiceFacts } from '@sealpost/protocol'
import { findAccount } from '../../account/index.ts'
import { loadRegistry } from '../../registry/index.ts'
import { listRequestRows, readCard, type RequestRow, type Service } from '../../services/index.ts'

/** What customers may know of a service: the same whether it is looked up, connected with or told of. */
export async function readFacts(read: Read, service: Service): Promise<ServiceFacts> {
  const { companyId, id } = service
  const company = await findAccount(read, companyId)
  if (company === null) throw new Error(`service ${id} belongs to no account`)
  const registry = await loadRegistry(read)
  const rows = await listRequestRows(read, companyId, id)
  const { card, photoIds } = await readCard(read, companyId, id)
  return {
    company_id: companyId,
    service_id: id,
    rev: service.rev,
    company: { display_name: company.displayName, share_code: company.shareCode },
    name: service.name,
    code: service.shareCode,
    audience: service.audience,
    public_key: service.publicKey,
    rows: rows.map((row) => showRow(registry, row)),
    card: [...card],
    photo_ids: [...photoIds],
  }
}

function showRow(registry: Registry, row: RequestRow): AskedRow {
  return {
    id: row.id,
    slug: row.slug,
    label: row.label,
    type: row.type,
    field_type: { ...resolveType(registry, row.type) },
    lane: laneOf(registry, row),
    one_time: row.oneTime,
    mandatory_provide: row.mandatoryProvide,
    mandatory_connected: row.mandatoryConnected,
    audience: row.audience,
    verified: row.verified,
    verified_max_age_days: row.verifiedMaxAgeDays,
    plugin: row.plugin,
  }
}

/** A type that is not in the registry, such as `plugin`, is text. */
export function laneOf(registry: Registry, { type }: Pick<RequestRow, 'type'>): AskedRow['lane'] {
  return resolveType(registry, type).lane ?? 'inline'
}
