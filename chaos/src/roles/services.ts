import { type ClientId, readSettings, type RegionCode, Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { openRegionOperations, type RegionOperations, regionSettings } from '@sealpost/region'
import {
  type Calls,
  callsWith,
  forge,
  loginClaims,
  newServiceKey,
  northwind,
  type TestServiceKey,
} from '@sealpost/testkit'
import type { RoleSite } from './site.ts'

/** A service of some company, as its owner and its backend call it. */
export interface SiteService {
  readonly number: number
  readonly companyId: UserId
  readonly serviceId: ServiceId
  /** COMPANYCODE/SERVICECODE */
  readonly code: string
  readonly publicKey: string
  readonly portal: Calls
  readonly data: Calls
  /** For calls that are cut off. */
  readonly dataToken: string
}

const SERVICES_PER_COMPANY = 10
const EU = northwind.region

/** Accounts and services past the routes, which are not what is tried here. Keys are made once: companies share them. */
export async function openServices(site: RoleSite, count: number): Promise<readonly SiteService[]> {
  const operations = await openOperations(site)
  const ownKeys = Array.from({ length: Math.min(count, SERVICES_PER_COMPANY) }, () => newServiceKey())
  const keys = await Promise.all(ownKeys)
  try {
    const services: SiteService[] = []
    for (let first = 1; first <= count; first += SERVICES_PER_COMPANY) {
      const companyId = systemIds().uuid<UserId>()
      const companyCode = await createAccount(operations, companyId, 'company', `company-${first}`)
      const portal = await loginCalls(site, companyId, 'company')
      for (let number = first; number < first + SERVICES_PER_COMPANY && number <= count; number += 1)
        services.push(
          await openService(site, operations, { number, companyId, companyCode, portal, key: keyFor(number, keys) }),
        )
    }
    return services
  } finally {
    await operations.close()
  }
}

export function openOperations({ environment }: RoleSite): ReturnType<typeof openRegionOperations> {
  const needs = { clock: systemClock, ids: systemIds(), random: systemRandom }
  return openRegionOperations(readSettings(regionSettings, environment.eu), needs)
}

/** Answers its share code. */
export async function createAccount(
  operations: RegionOperations,
  id: UserId,
  userType: 'person' | 'company',
  name: string,
): Promise<string> {
  const { kdf, keys, recoveryKeys } = northwind.login
  const code = `C${id.replaceAll('-', '').slice(-10).toUpperCase()}`.slice(0, 8)
  const level = userType === 'company' ? 'pro' : 'free'
  const account = { id, userType, email: `${name}@chaos.example`, displayName: name, language: 'en', level } as const
  await operations.createAccount({ ...account, kdf, keys, recoveryKeys }, code)
  return code
}

/** With a token as the front door would sign it for somebody who logged in. */
export async function loginCalls(site: RoleSite, userId: UserId, userType: 'person' | 'company'): Promise<Calls> {
  const place = { environment: site.environment, frontDoor: site.frontDoor, clock: systemClock }
  const region: RegionCode = EU
  return callsWith(site.api.url, await forge(place, loginClaims({ userId, userType, region, sid: `chaos ${userId}` })))
}

interface Opening extends Pick<SiteService, 'number' | 'companyId' | 'portal'> {
  readonly companyCode: string
  readonly key: TestServiceKey
}

function keyFor(number: number, keys: readonly TestServiceKey[]): TestServiceKey {
  const key = keys[number % keys.length]
  if (key === undefined) throw new Error('there are no keys for services')
  return key
}

async function openService(
  site: RoleSite,
  operations: RegionOperations,
  { number, companyId, companyCode, portal, key }: Opening,
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
  const dataToken = await tokenOf(site, clientId, clientSecret)
  const data = callsWith(site.api.url, dataToken)
  return { number, companyId, serviceId, publicKey, code: `${companyCode}/${shareCode}`, portal, data, dataToken }
}

async function tokenOf({ frontDoor }: RoleSite, clientId: string, clientSecret: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const answer = await fetch(`${frontDoor.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  const body: unknown = await answer.json()
  if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token)
  throw new Error(`no token: ${JSON.stringify(body)}`)
}

export async function demand(answering: ReturnType<Calls>): Promise<Readonly<Record<string, unknown>>> {
  const { status, body, text } = await answering
  if (status >= 300) throw new Error(`not served: ${status} ${text}`)
  return body
}

/** Several at a time, in order. */
export async function inTurns<T, R>(
  all: readonly T[],
  atOnce: number,
  act: (one: T, place: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  for (let from = 0; from < all.length; from += atOnce)
    results.push(...(await Promise.all(all.slice(from, from + atOnce).map((one, place) => act(one, from + place)))))
  return results
}
