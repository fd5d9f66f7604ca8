import type { ServiceId, UserId } from '@sealpost/kernel'
import { sha256Of } from '@sealpost/objects'
import type { Database } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { FoundAccount } from '../../../account/index.ts'
import { remember } from '../code-cache.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { listKeys } from '../store/connections.ts'

export interface PublishedKey {
  readonly publicKey: string
  readonly fingerprint: string
}

/** The key of a person, or of a company's account. */
export async function findKey(
  needs: ServiceSideNeeds,
  shareCode: string,
): Promise<PublishedKey & { readonly account: FoundAccount; readonly shareCode: string }> {
  const code = normalise(shareCode)
  const account = await remember(needs, `account ${code}`, () => needs.findByShareCode(code))
  if (account === null || account.publicKey === null) throw refuse('keys.not_found')
  return { ...publish(account.publicKey), account, shareCode: code }
}

export async function findServiceKey(
  needs: ServiceSideNeeds,
  companyCode: string,
  serviceCode: string,
): Promise<PublishedKey & { readonly serviceId: string }> {
  const [company, code] = [normalise(companyCode), normalise(serviceCode)]
  const found = await remember(needs, `service ${company}/${code}`, async () => {
    const account = await needs.findByShareCode(company)
    if (account?.userType !== 'company') return null
    const facts = await needs.wire.lookUpService(account.region, account.userId, code)
    return facts === null ? null : { publicKey: facts.public_key, serviceId: facts.service_id }
  })
  if (found === null) throw refuse('keys.not_found')
  return { ...publish(found.publicKey), serviceId: found.serviceId }
}

/** Of the customers among these that are connected to the service. */
export async function listCustomerKeys(
  { database }: { readonly database: Database },
  serviceId: ServiceId,
  customers: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  const found = await database.read((read) => listKeys(read, serviceId, customers))
  return new Map(found.map(({ customerId, publicKey }) => [customerId, publicKey]))
}

function publish(publicKey: string): PublishedKey {
  return { publicKey, fingerprint: sha256Of(Buffer.from(publicKey, 'base64')) }
}

function normalise(code: string): string {
  return code.trim().toUpperCase()
}
