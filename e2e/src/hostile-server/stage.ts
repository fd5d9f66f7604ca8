import { createCryptoPlatform, fingerprintPublicKey } from '@sealpost/crypto'
import type {
  AccountClient,
  Connection,
  CustomerClient,
  KeyPins,
  OwnConnection,
  ServiceClient,
  ServiceKey,
  VerifierKey,
} from '@sealpost/sdk'
import { type DemoVerifier, waitUntil } from '@sealpost/testkit'
import { deriveLogin, type PasswordWrap, type WrapKey } from '@sealpost/vault'
import { pdfWith } from '../sharing/pictures.ts'
import { type Operator, openOperator } from './operator.ts'
import { openParties, type Parties, type Verifiers } from './parties.ts'
import type { HostileServer } from './proxy.ts'

/** What a connection showed at some time, to be told again later. */
export interface Captured {
  /** Of Ana's connection before her last change of it. */
  readonly olderRecord: string
  /** Of Ana's connection with the bank. */
  readonly bankRecord: string
  /** Of a connection of Ben. */
  readonly foreignRecord: string
  /** The value of `name` before Ana's last edit. */
  readonly olderName: unknown
  /** The records that the company reads honestly. */
  readonly ana: Connection
  readonly ben: Connection
  /** A connection that Ana has ended. */
  readonly ended: OwnConnection
}

/** What the company's own device knows. */
export interface CompanyLogin {
  readonly email: string
  readonly password: string
  readonly wrapKey: WrapKey
  readonly recoveryWrap: PasswordWrap
  /** Fingerprint of the recovery key. */
  readonly recoveryFingerprint: string
  readonly passphrase: string
}

export interface Stage {
  /** In front of the region of the persons, of the company's, and of the front door. */
  readonly us: HostileServer
  readonly eu: HostileServer
  readonly door: HostileServer
  readonly login: CompanyLogin
  readonly operator: Operator
  readonly code: string
  readonly serviceId: string
  readonly serviceKey: ServiceKey
  readonly verifierKey: VerifierKey
  readonly anaId: string
  readonly anaCode: string
  readonly benId: string
  readonly connectionId: string
  readonly benConnectionId: string
  readonly captured: Captured
  readonly field: (slug: string) => string
  /** Ana's app on the device that made her connections, or on a new one. */
  app(device?: 'own' | 'new'): CustomerClient
  /** The company's backend with what it remembers, or with nothing. */
  service(memory?: 'own' | 'none', verifiers?: Verifiers): ServiceClient
  account(pins?: KeyPins): AccountClient
}

export const BORN = '1990-04-01'
const LEASE = { file: { bytes: pdfWith('a lease'), mimeType: 'application/pdf', originalName: 'lease.pdf' } }

export async function openStage(): Promise<Stage> {
  const parties = await openParties()
  const { us, eu, door, code, northwind, serviceKey, ana, ben, account } = parties
  const [device, backend] = [new Map<string, string>(), new Map<string, string>()]
  const app = parties.appOf(device)
  const field = await fieldsOf(app)
  await fillProfile(app, field, parties.verifier)
  const made = await connectAll(parties, app, field)
  const read = await readAll(parties, backend, made.ana.id, made.ben.id, () =>
    app.contactData.put(field('first_name'), 'Anna'),
  )
  return {
    us,
    eu,
    door,
    login: await loginOf(northwind),
    operator: await openOperator(),
    code,
    serviceId: northwind.serviceId,
    serviceKey,
    verifierKey: parties.verifier.publicKey,
    anaId: ana.userId,
    anaCode: ana.shareCode,
    benId: ben.userId,
    connectionId: made.ana.id,
    benConnectionId: made.ben.id,
    captured: {
      ...read,
      olderRecord: recordOf(made.ana),
      bankRecord: recordOf(made.bank),
      foreignRecord: recordOf(made.ben),
      ended: made.ended,
    },
    field,
    app: (on = 'own') => parties.appOf(on === 'own' ? new Map(device) : new Map()),
    service: (memory = 'own', verifiers = {}) =>
      parties.serviceOf(memory === 'own' ? new Map(backend) : new Map(), verifiers),
    account,
  }
}

async function fieldsOf(app: CustomerClient): Promise<(slug: string) => string> {
  const fields = new Map<string, string>()
  for await (const { slug, id } of app.contactFields.list()) fields.set(slug, id)
  return (slug) => fields.get(slug) ?? missing(slug)
}

async function fillProfile(
  app: CustomerClient,
  field: (slug: string) => string,
  verifier: DemoVerifier,
): Promise<void> {
  await app.contactData.put(field('first_name'), 'Ana')
  await app.contactData.put(field('last_name'), 'Gil')
  const birth = field('date_of_birth')
  await app.contactData.put(birth, BORN)
  const { verification_id, challenge } = await app.verifications.begin(birth, 'demo_id')
  const request = { verification_id, challenge: challenge ?? '', field_type: 'date_of_birth', evidence: BORN }
  const { statement } = await verifier.attest(request)
  await app.verifications.confirm(birth, verification_id, { statement })
}

/** Ana has an ended connection, one that she has changed, and one with the bank; Ben has one. */
async function connectAll({ code, bankCode, ben }: Parties, app: CustomerClient, field: (slug: string) => string) {
  const answers = {
    name: { from: field('first_name') },
    born: { from: field('date_of_birth') },
    note: { value: 'after six' },
    lease: { value: LEASE },
  }
  const ended = await app.connect(code, answers)
  await app.connections.disconnect(ended.id)
  const ana = await app.connect(code, answers)
  await app.connections.remap(ana.id, { note: { value: 'after seven' } })
  const bank = await app.connect(bankCode, { name: { from: field('last_name') } })
  const others = { name: { value: 'Ben' }, born: { value: '1985-05-05' }, note: { value: 'never' } }
  return { ended, ana, bank, ben: await ben.app.connect(code, { ...others, lease: { value: LEASE } }) }
}

/** The backend reads Ana's values before and after an edit of hers, and Ben's. */
async function readAll(
  { serviceOf, serviceKey }: Parties,
  pins: KeyPins,
  anaId: string,
  benId: string,
  edit: () => Promise<unknown>,
) {
  const { connections, values } = serviceOf(pins, {})
  const before = await connections.get(anaId)
  await values.decrypt(before, serviceKey)
  await edit()
  await waitUntil('the edit arrives', 15_000, async () => {
    const present = await connections.get(anaId)
    return present.values['name']?.value !== before.values['name']?.value
  })
  const [ana, ben] = [await connections.get(anaId), await connections.get(benId)]
  for (const connection of [ana, ben]) await values.decrypt(connection, serviceKey)
  return { olderName: before.values['name'], ana, ben }
}

async function loginOf({ email, login, service }: Parties['northwind']): Promise<CompanyLogin> {
  const recovery = login.recoveryKeys ?? missing('recovery key')
  const fingerprint = await fingerprintPublicKey(createCryptoPlatform(globalThis), recovery.publicKey)
  return {
    email,
    password: login.password,
    wrapKey: (await deriveLogin(login.password, login.kdf)).wrapKey,
    recoveryWrap: recovery.encryptedPrivateKey,
    recoveryFingerprint: fingerprint.ok ? fingerprint.value : missing('fingerprint'),
    passphrase: service.passphrase,
  }
}

function recordOf({ device_record: record }: OwnConnection): string {
  return record ?? missing('device_record')
}

function missing(what: string): never {
  throw new Error(`the stage has no ${what}`)
}
