import type { OpeningKey, SealingKey } from '@sealpost/crypto'
import { Secret, type ServiceId } from '@sealpost/kernel'
import { systemIds } from '@sealpost/process'
import type { RegionOperations } from '@sealpost/region'
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
import { openOperations } from '../accounts.ts'
import { publishRequestRow } from '../request-row.ts'
import { importKey } from '../sealing.ts'
import type { Region, Site } from './site.ts'

/** A service that requests one live value, with its key pair. */
export interface ReceivingService {
  readonly name: string
  readonly region: Region
  /** `COMPANYCODE/SERVICECODE` */
  readonly code: string
  readonly sealing: SealingKey
  readonly opening: OpeningKey
  /** The request row that customers answer. */
  readonly rowId: string
  /** As its data client; the token is valid for longer than the run. */
  readonly call: Calls
}

/** Two services in eu, one in us. `type`: the type of the shared field. */
export async function openServices({ installation }: Site, type: string): Promise<readonly ReceivingService[]> {
  const eu = await openOperations(installation, 'eu')
  try {
    return [
      await openService(installation, 'eu', northwind, type),
      await openService(installation, 'eu', await secondService(eu), type),
      await openService(installation, 'us', harborline, type),
    ]
  } finally {
    await eu.close()
  }
}

/** A second service of northwind, as a persona. */
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

async function openService(
  installation: Installation,
  region: Region,
  company: CompanyPersona,
  type: string,
): Promise<ReceivingService> {
  const call = await clientCalls(installation, company.clientId, company.clientSecret)
  return {
    name: company.serviceName,
    region,
    code: `${company.shareCode}/${company.service.shareCode}`,
    sealing: await importKey(company.service.publicKey),
    opening: await openServiceKey(company.service),
    rowId: await publishRequestRow(call, type),
    call,
  }
}
