import { type ClientId, Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import { systemIds } from '@sealpost/process'
import type { RegionOperations } from '@sealpost/region'
import { type Calls, callsWith, newServiceKey, northwind, type TestServiceKey } from '@sealpost/testkit'
import { createAccount, loginToken, openOperations } from '../accounts.ts'
import { askToken, describeOutcome } from '../calls.ts'
import type { RoleSite } from './site.ts'

/** A service with the calls of its owner and of its backend. */
export interface SiteService {
  readonly number: number
  readonly companyId: UserId
  readonly serviceId: ServiceId
  /** COMPANYCODE/SERVICECODE */
  readonly code: string
  readonly publicKey: string
  readonly portal: Calls
  readonly portalToken: string
  readonly data: Calls
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  /** For calls that the caller aborts. */
  readonly dataToken: string
}

const SERVICES_PER_COMPANY = 10

/** Creates accounts and services without the routes, which are not under test. Companies share keys: making them is slow. */
export async function openServices(
  site: RoleSite,
  count: number,
  perCompany = SERVICES_PER_COMPANY,
): Promise<readonly SiteService[]> {
  const operations = await openOperations(site, 'eu')
  const ownKeys = Array.from({ length: Math.min(count, SERVICES_PER_COMPANY) }, () => newServiceKey())
  const keys = await Promise.all(ownKeys)
  try {
    const services: SiteService[] = []
    for (let first = 1; first <= count; first += perCompany) {
      const companyId = systemIds().uuid<UserId>()
      const companyCode = await createAccount(operations, {
        id: companyId,
        userType: 'company',
        name: `company-${first}`,
      })
      const portalToken = await loginToken(site, { userId: companyId, userType: 'company', region: 'eu' })
      const portal = callsWith(site.api.url, portalToken)
      for (let number = first; number < first + perCompany && number <= count; number += 1)
        services.push(
          await openService(site, operations, {
            number,
            companyId,
            companyCode,
            portal,
            portalToken,
            key: keyFor(number, keys),
          }),
        )
    }
    return services
  } finally {
    await operations.close()
  }
}

interface Opening extends Pick<SiteService, 'number' | 'companyId' | 'portal' | 'portalToken'> {
  readonly companyCode: string
  readonly key: TestServiceKey
}

function keyFor(number: number, keys: readonly TestServiceKey[]): TestServiceKey {
  const key = keys[number % keys.length]
  if (key === undefined) throw new Error('no service keys')
  return key
}

async function openService(
  site: RoleSite,
  operations: RegionOperations,
  { number, companyId, companyCode, portal, portalToken, key }: Opening,
): Promise<SiteService> {
  const ids = systemIds()
  const serviceId = ids.uuid<ServiceId>()
  const { publicKey, encryptedPrivateKey } = key
  const shareCode = `S${number}`
  const { adminEmail } = northwind.service
  const facts = { publicKey, encryptedPrivateKey, adminEmail, shareCode, name: `Service ${number}` }
  await operations.createService({ companyId, id: serviceId, ...facts })
  const clientId: ClientId = ids.clientId('svc')
  const clientSecret = ids.clientSecret()
  await operations.registerDataClient(companyId, serviceId, { clientId, secret: new Secret(clientSecret) })
  const issued = await askToken(site.frontDoor.url, { clientId, clientSecret })
  if (issued.kind !== 'done') throw new Error(`no token: ${describeOutcome(issued)}`)
  const dataToken = issued.value.text
  const data = callsWith(site.api.url, dataToken)
  return {
    number,
    companyId,
    serviceId,
    publicKey,
    code: `${companyCode}/${shareCode}`,
    portal,
    portalToken,
    data,
    client: { clientId, clientSecret },
    dataToken,
  }
}

/** Runs the work in batches of `size` and keeps the order of the results. */
export async function inBatches<T, R>(
  all: readonly T[],
  size: number,
  work: (one: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  for (let from = 0; from < all.length; from += size)
    results.push(...(await Promise.all(all.slice(from, from + size).map((one) => work(one)))))
  return results
}
