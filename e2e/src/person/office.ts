import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { memoryPins, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { type Person, scaled, type Service, waitUntil, type World } from '@sealpost/testkit'
import { clientOf } from './client-of.ts'

export const SOON_MS = scaled(30_000)

/** The backend of a company in `eu` that writes to a person, and the person's connection with it. */
export interface Office {
  readonly service: Service
  readonly client: ServiceClient
  readonly key: ServiceKey
  readonly connectionId: string
  readonly target: { readonly connection_id: string }
}

export async function openOffice(world: World, person: Person, displayName: string, name: string): Promise<Office> {
  const company = await world.company({ region: 'eu', level: 'pro', displayName })
  const service = await world.service([{ slug: 'first', label: 'First name' }], { company, name })
  const { id: connectionId } = await clientOf(person).connect(service.code, { first: { value: 'Mara' } })
  return officeOf(world, service, connectionId)
}

/** Of a service that the person is connected to. */
export async function officeOf(world: World, service: Service, connectionId: string): Promise<Office> {
  const client = new ServiceClient({ frontDoorUrl: world.frontDoor.url, ...service.client, pins: memoryPins() })
  const key = await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase)
  await waitUntil('the service has the connection', SOON_MS, async () => (await service.read(connectionId)) !== null)
  return { service, client, key, connectionId, target: { connection_id: connectionId } }
}

const TERMS = [
  'This agreement is made between Northwind Clinic and the patient.',
  '',
  '1. Treatment',
  'The clinic treats the patient according to the plan that both have discussed.',
  'The plan may be changed at any time, and every change is written down.',
  '',
  '2. Fees',
  'The clinic sends its invoice at the end of each month.',
  'The patient pays within thirty days.',
  '',
  '3. End',
  'Either side may end this agreement with thirty days of notice.',
]

/** A contract that can be read. */
export function contractPdf(title: string, pages = 2): Uint8Array<ArrayBuffer> {
  const contents = Array.from({ length: pages }, (_, page) =>
    [
      textAt(60, 720, `(${title}) Tj`, 20),
      textAt(60, 694, `(Page ${page + 1} of ${pages}) Tj`, 10),
      ...TERMS.map((line, at) => textAt(60, 650 - 22 * at, `(${line}) Tj`, 12)),
    ].join('\n'),
  )
  return templatePdf({ contents })
}
