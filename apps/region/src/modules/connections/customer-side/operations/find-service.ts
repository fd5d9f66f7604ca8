import { parseUuid, type ServiceId } from '@sealpost/kernel'
import { refuse, type ServiceFacts, type ServiceOffer } from '@sealpost/protocol'
import type { Customer, ServiceAddress } from '../connection.ts'
import type { CustomerNeeds } from '../needs.ts'
import { rowsFor } from '../rules/rows.ts'
import type { ServiceName } from '../wire.ts'

/** A service as it is now, found at its home. */
export interface FoundService extends ServiceAddress {
  readonly companyPublicKey: string | null
  readonly facts: ServiceFacts
}

type LookUpNeeds = Pick<CustomerNeeds, 'directory' | 'wire'>

/** `COMPANYCODE/SERVICECODE`, however it is typed. */
export function findByCode(needs: LookUpNeeds, code: string): Promise<FoundService> {
  const [company = '', service = '', ...more] = code.split('/').map((part) => part.trim().toUpperCase())
  if (service === '' && more.length === 0) throw refuse('profile.company_code_requires_service')
  if (company === '' || more.length > 0) throw refuse('services.not_found')
  return findService(needs, company, { code: service })
}

export async function findService(needs: LookUpNeeds, companyCode: string, named: ServiceName): Promise<FoundService> {
  const company = await needs.directory.findByShareCode(companyCode)
  if (company?.userType !== 'company') throw refuse('services.not_found')
  const { userId: companyId, publicKey: companyPublicKey, region } = company
  const facts = await needs.wire.lookUp({ companyId, region }, named)
  const serviceId = facts === null ? null : parseUuid<ServiceId>(facts.service_id)
  // A region speaks for its own companies only.
  if (facts === null || serviceId === null || facts.company_id !== companyId) throw refuse('services.not_found')
  return { companyId, companyRegion: region, serviceId, companyPublicKey, facts }
}

export function showOffer({ companyId, facts }: FoundService, { userType }: Customer): ServiceOffer {
  return {
    company: { user_id: companyId, ...facts.company },
    service: { service_id: facts.service_id, name: facts.name, code: facts.code, audience: facts.audience },
    public_key: facts.public_key,
    request_fields: [...rowsFor(facts.rows, userType)],
  }
}

/** A person at a service for companies, or the other way round. */
export function demandAudience({ audience }: Pick<ServiceFacts, 'audience'>, { userType }: Customer): void {
  if (audience === 'both' || audience === userType) return
  throw userType === 'person' ? refuse('services.audience_b2b_only') : refuse('company_connections.persons_only')
}
