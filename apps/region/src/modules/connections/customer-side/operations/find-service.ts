import { parseUuid, type ServiceId } from '@sealpost/kernel'
import { refuse, type ServiceFacts } from '@sealpost/protocol'
import type { CustomerContext } from '../context.ts'
import type { Customer, FoundService, ServiceSelector } from '../model.ts'

/** `COMPANYCODE/SERVICECODE`, in any case and with spaces around each part. */
export function findByCode(context: CustomerContext, code: string): Promise<FoundService> {
  const [company = '', service = '', ...more] = code.split('/').map((part) => part.trim().toUpperCase())
  if (service === '' && more.length === 0) throw refuse('profile.company_code_requires_service')
  if (company === '' || more.length > 0) throw refuse('services.not_found')
  return findService(context, company, { code: service })
}

export async function findService(
  { directory, messages }: CustomerContext,
  companyCode: string,
  selector: ServiceSelector,
): Promise<FoundService> {
  const company = await directory.findByShareCode(companyCode)
  if (company?.userType !== 'company') throw refuse('services.not_found')
  const { userId: companyId, publicKey: companyPublicKey, region } = company
  const facts = await messages.askForFacts({ companyId, region }, selector)
  const serviceId = facts === null ? null : parseUuid<ServiceId>(facts.service_id)
  // A region may answer only for its own companies.
  if (facts === null || serviceId === null || facts.company_id !== companyId) throw refuse('services.not_found')
  return { companyId, companyRegion: region, serviceId, companyPublicKey, facts }
}

export function requireAudience({ audience }: Pick<ServiceFacts, 'audience'>, { userType }: Customer): void {
  if (audience === 'both' || audience === userType) return
  throw userType === 'person' ? refuse('services.audience_b2b_only') : refuse('company_connections.persons_only')
}
