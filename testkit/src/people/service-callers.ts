import { Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import { northwind } from '../personas.ts'
import type { TwoRegions } from '../two-regions.ts'
import { type Answer, call } from './office.ts'

/** The backend of a service of its own, so that no two tests share a feed or a bucket. */
export interface ServiceCaller {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  /** A fresh one whenever the clock has moved. */
  token(): Promise<string>
  /** `url`: another process of the region. */
  get(path: string, url?: string): Promise<Answer>
}

/** A data client for a service that nothing else is known of. */
export async function openServiceCaller(
  two: TwoRegions,
  companyId: UserId = northwind.companyId,
): Promise<ServiceCaller> {
  const { operations } = two.eu
  const { ids } = two.eu.platform
  const serviceId = ids.uuid<ServiceId>()
  const credentials = { clientId: ids.clientId('svc'), clientSecret: ids.clientSecret() }
  await operations.registerDataClient(companyId, serviceId, {
    clientId: credentials.clientId,
    secret: new Secret(credentials.clientSecret),
  })
  let known: { readonly at: number; readonly token: string } | null = null
  const token = async (): Promise<string> => {
    if (known?.at !== two.clock.now()) known = { at: two.clock.now(), token: await two.token(credentials) }
    return known.token
  }
  return {
    companyId,
    serviceId,
    token,
    get: async (path, url = two.eu.url ?? '') => call({ apiUrl: url, token: await token() }, 'GET', path),
  }
}
