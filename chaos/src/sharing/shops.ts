import {
  createCryptoPlatform,
  importSealingKey,
  type OpeningKey,
  openWrapper,
  type SealingKey,
  sealWrapper,
} from '@sealpost/crypto'
import { readSettings, Secret, type ServiceId } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { openRegionOperations, type RegionOperations, regionSettings } from '@sealpost/region'
import {
  type Calls,
  clientCalls,
  type CompanyPersona,
  harborline,
  type Installation,
  newServiceKey,
  northwind,
  openServiceKey,
} from '@sealpost/testkit'
import type { Region, Site } from './site.ts'

/** A service that asks for one live value, with the key of its company at hand. */
export interface Shop {
  readonly name: string
  readonly region: Region
  /** `COMPANYCODE/SERVICECODE` */
  readonly code: string
  readonly sealing: SealingKey
  readonly opening: OpeningKey
  /** The request row that customers answer. */
  readonly rowId: string
  /** As its data client. A token outlives the run. */
  readonly call: Calls
}

export const SLUG = 'name'
const platform = createCryptoPlatform(globalThis)

export async function sealTo(key: SealingKey, text: string): Promise<string> {
  const sealed = await sealWrapper(platform, key, text)
  if (!sealed.ok) throw new Error(`not sealed: ${sealed.refusal}`)
  return sealed.value
}

export async function readSealed(key: OpeningKey, wrapper: string): Promise<string> {
  const text = await openWrapper(platform, key, wrapper)
  if (!text.ok) throw new Error(`a value that its service cannot open: ${text.refusal}`)
  return text.value
}

export async function importKey(publicKey: string): Promise<SealingKey> {
  const key = await importSealingKey(platform, publicKey)
  if (!key.ok) throw new Error(`not a public key: ${publicKey}`)
  return key.value
}

/** Operations of a region past its routes: for accounts and services in numbers. */
export function openOperations({ environment }: Installation, region: Region) {
  const needs = { clock: systemClock, ids: systemIds(), random: systemRandom }
  return openRegionOperations(readSettings(regionSettings, environment[region]), needs)
}

/** Two services in eu, one in us. `type`: that of the field which customers will share. */
export async function openShops({ installation }: Site, type: string): Promise<readonly Shop[]> {
  const eu = await openOperations(installation, 'eu')
  try {
    return [
      await openShop(installation, 'eu', northwind, type),
      await openShop(installation, 'eu', await secondService(eu), type),
      await openShop(installation, 'us', harborline, type),
    ]
  } finally {
    await eu.close()
  }
}

/** The same company with one more service, as a persona of its own. */
async function secondService(eu: RegionOperations): Promise<CompanyPersona> {
  const ids = systemIds()
  const serviceId = ids.uuid<ServiceId>()
  const clientId = ids.clientId('svc')
  const clientSecret = ids.clientSecret()
  const service = { ...(await newServiceKey()), shareCode: 'SECOND', adminEmail: northwind.service.adminEmail }
  const { passphrase: _, ...facts } = service
  const { companyId } = northwind
  await eu.createService({ companyId, id: serviceId, name: 'Second', ...facts })
  await eu.registerDataClient(companyId, serviceId, { clientId, secret: new Secret(clientSecret) })
  return { ...northwind, serviceId, serviceName: 'Second', service, clientId, clientSecret }
}

async function openShop(
  installation: Installation,
  region: Region,
  company: CompanyPersona,
  type: string,
): Promise<Shop> {
  const call = await clientCalls(installation, company.clientId, company.clientSecret)
  return {
    name: company.serviceName,
    region,
    code: `${company.shareCode}/${company.service.shareCode}`,
    sealing: await importKey(company.service.publicKey),
    opening: await openServiceKey(company.service),
    rowId: await publishRow(call, type),
    call,
  }
}

async function publishRow(call: Calls, type: string): Promise<string> {
  const path = '/api/company-data/request-fields'
  const { config_token } = (await call('GET', path)).body
  const request_fields = [{ slug: SLUG, label: 'Name', type }]
  const answer = await call('PUT', path, { body: { config_token, request_fields } })
  const rows = answer.body['request_fields']
  const row: unknown = Array.isArray(rows) ? rows[0] : null
  if (typeof row === 'object' && row !== null && 'id' in row) return String(row.id)
  throw new Error(`no request row: ${answer.text}`)
}
