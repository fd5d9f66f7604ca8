import {
  AccountClient,
  AccountKey,
  CustomerClient,
  type KeyPins,
  ServiceClient,
  ServiceKey,
  type VerifierKey,
} from '@sealpost/sdk'
import { type DemoVerifier, openWorld, startDemoVerifier } from '@sealpost/testkit'
import { type HostileServer, openHostileServer } from './proxy.ts'

export type Verifiers = Readonly<Record<string, readonly VerifierKey[]>>

/** The parties of the stage; their clients speak to hostile servers. */
export interface Parties {
  readonly us: HostileServer
  readonly eu: HostileServer
  readonly door: HostileServer
  readonly verifier: DemoVerifier
  readonly northwind: Northwind
  readonly ana: { readonly userId: string; readonly shareCode: string }
  readonly ben: { readonly userId: string; readonly app: CustomerClient }
  readonly serviceKey: ServiceKey
  readonly code: string
  readonly bankCode: string
  readonly appOf: (pins: KeyPins) => CustomerClient
  readonly serviceOf: (pins: KeyPins, verifiers: Verifiers) => ServiceClient
  readonly account: (pins?: KeyPins) => AccountClient
}

type World = Awaited<ReturnType<typeof openWorld>>
type Northwind = Awaited<ReturnType<World['personas']>>['northwind']

/** Ana and Ben live in us, northwind in eu; harborline is a bank that Ana uses, too. */
export async function openParties(): Promise<Parties> {
  let clock: { now(): number } | null = null
  const verifier = await startDemoVerifier({ now: () => clock?.now() ?? 0, validDays: null })
  const world = await openWorld({ settings: { VERIFIERS: verifier.setting } })
  clock = world.clock
  world.onEnd(() => verifier.close())
  const { northwind, harborline } = await world.personas('northwind', 'harborline')
  const [ana, ben] = [await world.person({ displayName: 'Ana' }), await world.person({ displayName: 'Ben' })]
  const open = async (target: string): Promise<HostileServer> => {
    const hostile = await openHostileServer(target)
    world.onEnd(() => hostile.close())
    return hostile
  }
  const [us, eu, door] = [await open(ana.apiUrl), await open(northwind.apiUrl), await open(world.frontDoor.url)]
  const account = (pins: KeyPins = new Map()): AccountClient =>
    new AccountClient({ accessToken: () => Promise.resolve({ token: northwind.token, apiUrl: eu.url }), pins })
  await publish(account(), northwind.serviceId)
  const bank = new AccountClient({ accessToken: () => Promise.resolve(harborline), pins: new Map() })
  await bank.requestFields.update(harborline.serviceId, () => [{ slug: 'name', label: 'Name', type: 'text' }])
  const anaKey = await AccountKey.fromPkcs8(ana.keys.privateKey.reveal())
  const benKey = await AccountKey.fromPkcs8(ben.keys.privateKey.reveal())
  return {
    us,
    eu,
    door,
    verifier,
    northwind,
    ana,
    ben: {
      userId: ben.userId,
      app: new CustomerClient({ accessToken: () => Promise.resolve(ben), key: benKey, pins: new Map() }),
    },
    serviceKey: await ServiceKey.fromWrap(northwind.service.encryptedPrivateKey, northwind.service.passphrase),
    code: `${northwind.shareCode}/${northwind.service.shareCode}`,
    bankCode: `${harborline.shareCode}/${harborline.service.shareCode}`,
    account,
    appOf: (pins) =>
      new CustomerClient({
        accessToken: () => Promise.resolve({ token: ana.token, apiUrl: us.url }),
        key: anaKey,
        pins,
      }),
    serviceOf: (pins, verifiers) =>
      new ServiceClient({
        frontDoorUrl: world.frontDoor.url,
        clientId: northwind.clientId,
        clientSecret: northwind.clientSecret,
        fetch: (input, init) => fetch(addressOf(input).replace(northwind.apiUrl, eu.url), init),
        pins,
        verifiers,
      }),
  }
}

function addressOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString()
}

async function publish(account: AccountClient, serviceId: string): Promise<void> {
  await account.requestFields.update(serviceId, () => [
    { slug: 'name', label: 'First name', type: 'text' },
    { slug: 'nick', label: 'Nickname', type: 'text' },
    { slug: 'born', label: 'Born on', type: 'date_of_birth' },
    { slug: 'note', label: 'Note', type: 'text' },
    { slug: 'lease', label: 'Lease', type: 'pdf_document' },
  ])
}
