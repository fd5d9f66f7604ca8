import type { KeyPins } from '@sealpost/sdk'
import { FailureError } from '@sealpost/ui/failure'
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
      /** The key that signs approvals and documents, under the secret of the passcode. */
      readonly signer: DeviceWrap
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

/** What the platform has to be told after this device has forgotten the account: not whose it was, and no secret. */
export interface OwedEnd {
  /** The session is ended; so is this trusted device, where it was removed. */
  readonly deviceId: string | null
}

/** What this device keeps, in IndexedDB. What an account has stored since it was cleared is refused. */
export interface DeviceStore {
  read(): Promise<DeviceRecord | null>
  write(record: DeviceRecord): Promise<void>
  /** Reads and writes in one step, also beside other tabs. Answers what stands there now; null if there is no record. */
  update(change: (record: DeviceRecord) => DeviceRecord): Promise<DeviceRecord | null>
  /** Removes everything of the account; `pins`: whether also the keys that it has pinned. */
  clear(what: { readonly pins: boolean; readonly owed: OwedEnd | null }): Promise<void>
  /** By another tab. */
  onCleared(listener: () => void): void
  readOwed(): Promise<OwedEnd | null>
  forgetOwed(): Promise<void>
  pinsOf(accountId: () => Promise<string>): KeyPins
  /** What the app itself keeps for an account, in its own stores. */
  rows(): RunStored
}

/** Tells the other tabs of the app. */
export interface Tabs {
  postMessage(message: string): void
  addEventListener(name: 'message', listener: () => void): void
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
const OWED = 'owed'
const STORES = [DEVICE, PINS]

export function openDeviceStore(factory: IDBFactory, app: DeviceDatabase, tabs: Tabs): DeviceStore {
  const stores = [...STORES, ...app.stores]
  const listeners = new Set<() => void>()
  let clearings = 0
  let opened: Promise<IDBDatabase> | null = null
  const database = (): Promise<IDBDatabase> => (opened ??= openDatabase(factory, app, stores))
  const run: RunStored = async (store, mode, act) => {
    const transaction = (await database()).transaction(store, mode)
    const request = act(transaction.objectStore(store))
    await done(transaction)
    return request.result
  }
  const runFor = (known: number): RunStored => {
    return async (store, mode, act) => {
      await database()
      // A command that began before a sign-out must not write after it.
      if (known !== clearings) throw new FailureError({ kind: 'locked' })
      return run(store, mode, act)
    }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
  const tellTabs = (): void => tabs.postMessage('cleared')
  tabs.addEventListener('message', () => {
    clearings += 1
    for (const listener of listeners) listener()
  })
  return {
    read: () => run<unknown>(DEVICE, 'readonly', (rows) => rows.get(THIS)).then(recordOf),
    async write(record) {
      await run(DEVICE, 'readwrite', (rows) => rows.put(record, THIS))
    },
    update: async (change) => updateRecord((await database()).transaction(DEVICE, 'readwrite'), change),
    async clear({ pins, owed }) {
      clearings += 1
      tellTabs()
      const transaction = (await database()).transaction(stores, 'readwrite')
      for (const store of stores) if (pins || store !== PINS) transaction.objectStore(store).clear()
      if (owed !== null) transaction.objectStore(DEVICE).put(owed, OWED)
      await done(transaction)
      tellTabs()
    },
    onCleared: (listener) => void listeners.add(listener),
    async readOwed() {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `clear` stores under this name
      return ((await run<unknown>(DEVICE, 'readonly', (rows) => rows.get(OWED))) as OwedEnd | undefined) ?? null
    },
    async forgetOwed() {
      await run(DEVICE, 'readwrite', (rows) => rows.delete(OWED))
    },
    pinsOf: (accountId) => pinsIn(runFor(clearings), accountId),
    rows: () => runFor(clearings),
  }
}

function pinsIn(run: RunStored, accountId: () => Promise<string>): KeyPins {
  return {
    async get(name) {
      const key = `${await accountId()} ${name}`
      const value: unknown = await run<unknown>(PINS, 'readonly', (rows) => rows.get(key))
      return typeof value === 'string' ? value : undefined
    },
    async set(name, value) {
      const key = `${await accountId()} ${name}`
      await run(PINS, 'readwrite', (rows) => rows.put(value, key))
    },
  }
}

async function updateRecord(
  transaction: IDBTransaction,
  change: (record: DeviceRecord) => DeviceRecord,
): Promise<DeviceRecord | null> {
  const rows = transaction.objectStore(DEVICE)
  const request = rows.get(THIS)
  let changed: DeviceRecord | null = null
  request.addEventListener('success', () => {
    const known = recordOf(request.result)
    if (known === null) return
    changed = change(known)
    rows.put(changed, THIS)
  })
  await done(transaction)
  return changed
}

/** A signing key that rests as a handle would sign without the passcode: such a device has to be set up again. */
function recordOf(stored: unknown): DeviceRecord | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only records of this file are stored under this name
  const record = (stored as DeviceRecord | undefined) ?? null
  return record?.unlock?.kind === 'passcode' && record.unlock.signer instanceof CryptoKey
    ? { ...record, unlock: null }
    : record
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
