import { type Bytes, createCryptoPlatform, generateKeyPair } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import type { SessionClient, SessionContext } from '../context.ts'
import { type DeviceStore, type DeviceUnlock, openDeviceStore } from '../device-store.ts'
import { keepAccess } from '../keep-access.ts'
import { sessionCalls } from '../session-calls.ts'
import { type MemoryIndexedDb, memoryIndexedDb } from './memory-indexed-db.ts'

export const APP = { name: 'sealpost-test', version: 1, stores: ['drafts'] }
export const EMAIL = 'ana@people.example'

export const PASSKEY_SECRET = new Secret(new Uint8Array(32).fill(7))
export const PASSKEY: DeviceUnlock = {
  kind: 'passkey',
  credentialId: 'credential',
  rpId: 'people.example',
  wrap: { iv: '', data: '' },
  deviceId: 'd1',
}

export interface SessionKit {
  readonly privateKey: Secret<Bytes>
  readonly context: SessionContext
  readonly database: MemoryIndexedDb
  readonly store: DeviceStore
  /** Calls to the front door, as METHOD PATH. */
  readonly calls: string[]
  /** Whether the last attempt to tell the end has arrived, after it is over. */
  isTold(): Promise<boolean>
  otherTabClears(): void
  /** What every call gets from here on. */
  answerWith(answer: (call: string) => Promise<Response>): void
}

/** A device on which an account is open, with everything that rests on one. */
export async function openKit({
  unlock = null,
  security = {},
  keys = {},
}: {
  readonly unlock?: DeviceUnlock | null
  readonly security?: Partial<SessionClient['security']>
  /** What the platform answers as the wrapped keys of the account. */
  readonly keys?: object
} = {}): Promise<SessionKit> {
  const privateKey = await newPrivateKey()
  const database = memoryIndexedDb()
  const tabs = new EventTarget()
  const store = openDeviceStore(database.factory, APP, Object.assign(tabs, { postMessage: () => {} }))
  const { front, calls, answerWith } = frontDoor()
  const access = keepAccess(front, 'person', store)
  const ends: Promise<boolean>[] = []
  const context: SessionContext = {
    userType: 'person',
    frontDoorUrl: 'https://front.example',
    calls: front,
    access,
    store,
    tellEnd: () => void ends.push(access.tellEnd()),
    topics: [],
    changed: () => {},
    openClient: () => clientWith(security, keys),
    complete: async (account) => account,
    open: null,
    pending: null,
  }
  await store.write({ accountId: 'a1', email: EMAIL, displayName: 'Ana', publicKey: 'pk', unlock })
  await store.pinsOf(async () => 'a1').set('service:AAAA-AAAA', 'fingerprint')
  await store.rows()('drafts', 'readwrite', (rows) => rows.put({ own: 'sealed' }, 'a1 c'))
  context.open = {
    accountId: 'a1',
    email: EMAIL,
    displayName: 'Ana',
    client: clientWith(security, keys),
    privateKey,
    publicKey: 'pk',
    login: null,
    recoveryCode: null,
    isReproven: false,
    ending: new AbortController(),
  }
  return {
    privateKey,
    context,
    database,
    store,
    calls,
    isTold: async () => (await Promise.all(ends)).at(-1) ?? false,
    otherTabClears: () => void tabs.dispatchEvent(new Event('message')),
    answerWith,
  }
}

function frontDoor() {
  const calls: string[] = []
  let next = done
  const front = sessionCalls('https://front.example', async (input, init) => {
    const { method, url } = new Request(input, init)
    const call = `${method} ${url.replace('https://front.example', '')}`
    calls.push(call)
    return next(call)
  })
  return { front, calls, answerWith: (answer: typeof done) => void (next = answer) }
}

async function done(_call: string): Promise<Response> {
  return new Response(null, { status: 204 })
}

function clientWith(security: Partial<SessionClient['security']>, keys: object): SessionClient {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's side, as far as a test calls it
  return {
    security,
    readKeys: async () => keys,
    me: async () => ({ id: 'a1', email: EMAIL, display_name: 'Ana', share_code: 'ABCD-EFGH', region: 'eu' }),
  } as unknown as SessionClient
}

let made: Promise<{ readonly privateKey: Secret<Bytes> }> | null = null

async function newPrivateKey(): Promise<Secret<Bytes>> {
  made ??= generateKeyPair(createCryptoPlatform(globalThis))
  return (await made).privateKey
}
