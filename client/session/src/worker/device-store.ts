import type { KeyPins } from '@sealpost/sdk'
import type { DeviceWrap } from '@sealpost/vault'
import type { RunStored } from './run-stored.ts'

/** How the private key rests on this device. Keys are handles: no script can read them. */
export type DeviceUnlock =
  | {
      readonly kind: 'passkey'
      readonly credentialId: string
      readonly rpId: string
      readonly wrap: DeviceWrap
      /** Its id at the platform, among the trusted devices. */
      readonly deviceId: string
    }
  | {
      readonly kind: 'passcode'
      readonly salt: Uint8Array<ArrayBuffer>
      readonly deviceKey: CryptoKey
      readonly wrap: DeviceWrap
      readonly deviceId: string
      /** Signs approvals, after an unlock. */
      readonly signer: CryptoKey
      readonly failedTries: number
    }

/** Whose app this is. Nothing of it opens anything by itself. */
export interface DeviceRecord {
  readonly accountId: string
  readonly email: string
  readonly displayName: string
  readonly publicKey: string
  readonly unlock: DeviceUnlock | null
}

/** What this device keeps, in IndexedDB. */
export interface DeviceStore {
  read(): Promise<DeviceRecord | null>
  write(record: DeviceRecord): Promise<void>
  /** Removes everything of the account. */
  clear(): Promise<void>
  pinsOf(accountId: string): KeyPins
  /** What the app itself keeps for an account, in its own stores. */
  rowsOf(accountId: string): RunStored
}

/** The database of an app. A new store needs a new version. */
export interface DeviceDatabase {
  readonly name: string
  readonly version: number
  /** Of the app itself. */
  readonly stores: readonly string[]
}

const DEVICE = 'device'
const PINS = 'pins'
const THIS = 'this'
const STORES = [DEVICE, PINS]

export function openDeviceStore(factory: IDBFactory, app: DeviceDatabase): DeviceStore {
  const stores = [...STORES, ...app.stores]
  let opened: Promise<IDBDatabase> | null = null
  const database = (): Promise<IDBDatabase> => (opened ??= openDatabase(factory, app, stores))
  const run: RunStored = async (store, mode, act) => {
    const transaction = (await database()).transaction(store, mode)
    const request = act(transaction.objectStore(store))
    await done(transaction)
    return request.result
  }
  return {
    async read() {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `write` stores under this name
      return ((await run<unknown>(DEVICE, 'readonly', (rows) => rows.get(THIS))) as DeviceRecord | undefined) ?? null
    },
    async write(record) {
      await run(DEVICE, 'readwrite', (rows) => rows.put(record, THIS))
    },
    async clear() {
      for (const store of stores) await run(store, 'readwrite', (rows) => rows.clear())
    },
    pinsOf: (accountId) => ({
      async get(name) {
        const value: unknown = await run<unknown>(PINS, 'readonly', (rows) => rows.get(`${accountId} ${name}`))
        return typeof value === 'string' ? value : undefined
      },
      set: (name, value) => run(PINS, 'readwrite', (rows) => rows.put(value, `${accountId} ${name}`)),
    }),
    rowsOf: () => run,
  }
}

function openDatabase(
  factory: IDBFactory,
  { name, version }: DeviceDatabase,
  stores: readonly string[],
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(name, version)
    request.addEventListener('upgradeneeded', () => {
      const { objectStoreNames: known } = request.result
      const missing = stores.filter((store) => !known.contains(store))
      for (const store of missing) request.result.createObjectStore(store)
    })
    request.addEventListener('success', () => {
      // Another page has a newer app: it waits until this connection is closed.
      request.result.addEventListener('versionchange', () => request.result.close())
      resolve(request.result)
    })
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('the storage of this browser cannot be opened')),
    )
  })
}

function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    for (const name of ['error', 'abort'] as const)
      transaction.addEventListener(name, () =>
        reject(transaction.error ?? new Error('the storage of this browser refused a change')),
      )
  })
}
