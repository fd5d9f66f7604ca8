import type { ServiceId, UserId } from '@sealpost/kernel'
import type { ServiceFacts } from '@sealpost/protocol'
import { findService, findServiceByCode } from '../../../services/index.ts'
import { readFacts } from '../facts.ts'
import type { ServiceSideNeeds } from '../needs.ts'

/** By code or by id; null when the company has no such service. */
export async function findFacts(
  { database }: ServiceSideNeeds,
  companyId: UserId,
  { code, serviceId }: { readonly code: string | null; readonly serviceId: ServiceId | null },
): Promise<ServiceFacts | null> {
  return database.read(async (read) => {
    const byId = serviceId === null ? null : await findService(read, companyId, serviceId)
    const service = byId ?? (code === null ? null : await findServiceByCode(read, companyId, code))
    return service === null ? null : readFacts(read, service)
  })
}
