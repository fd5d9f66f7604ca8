import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { ServiceFacts } from '@sealpost/protocol'
import { findAccount } from '../../../account/index.ts'
import { loadRegistry } from '../../../registry/index.ts'
import { findService, findServiceByCode, listRequestRows, readCard, type Service } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { requestRowToWire } from '../wire.ts'

/** By code or by id; null when the company has no such service. */
export async function findFacts(
  { database }: ServiceSideContext,
  companyId: UserId,
  { code, serviceId }: { readonly code: string | null; readonly serviceId: ServiceId | null },
): Promise<ServiceFacts | null> {
  return database.read(async (read) => {
    const byId = serviceId === null ? null : await findService(read, companyId, serviceId)
    const service = byId ?? (code === null ? null : await findServiceByCode(read, companyId, code))
    return service === null ? null : readFacts(read, service)
  })
}

/** Everything that customers may know of a service. A look-up, a connect and a tell all use it. */
export async function readFacts(read: Read, service: Service): Promise<ServiceFacts> {
  const { companyId, id } = service
  const company = await findAccount(read, companyId)
  if (company === null) throw new Error(`service ${id}: its company ${companyId} has no account`)
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
    require_2fa: service.require2fa,
    public_key: service.publicKey,
    rows: rows.map((row) => requestRowToWire(registry, row)),
    card: [...card],
    photo_ids: [...photoIds],
  }
}
