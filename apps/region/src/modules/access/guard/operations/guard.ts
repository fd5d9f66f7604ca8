import type { ClientId, Clock, Ids, UserId } from '@sealpost/kernel'
import type { Database, Read } from '@sealpost/postgres'
import { startLoop } from '@sealpost/process'
import type { Log } from '@sealpost/telemetry'
import type { AccessWatch, Platform } from '../../../../platform/module.ts'
import { findAccount, findDelegate } from '../../../account/index.ts'
import type { AccountState, ClientState, DelegateState } from '../model.ts'
import {
  CHANGE_CHANNEL,
  endLease,
  findClientState,
  isSessionRevoked,
  prune,
  readNews,
  readSwitches,
  renewLease,
  reportSeen,
  type Switches,
} from '../store/guard.ts'
import type { Cache } from './cache.ts'
import { createMemory } from './memory.ts'

export interface GuardOptions {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Milliseconds that never jump; the lease is counted on it. */
  monotonicMs(): number
  readonly onNotify: Platform['onNotify']
  readonly leaseMs?: number
}

type Answer<T> = T | Promise<T>

/** Answers are synchronous while the lease is valid and the subject is cached. */
export interface Guard extends AccessWatch {
  isRevoked(sessionId: string): Answer<boolean>
  /** These three answer null for an id that is unknown in this region. */
  findClient(clientId: ClientId): Answer<ClientState | null>
  findAccount(id: UserId): Answer<AccountState | null>
  /** Never cached: delegates are few, and a removal takes effect at once. */
  findDelegate(companyId: UserId, userId: UserId): Promise<DelegateState | null>
  switches(): Answer<Switches>
  /** The last known state, without a read. */
  lastSwitches(): Switches
  close(): Promise<void>
}

const LEASE_MS = 3000
/** Clocks may run at slightly different speeds, so the cache is trusted a little shorter than the lease lasts. */
const TRUSTED_SHARE = 0.8
const PRUNE_EVERY_RENEWALS = 600

/** See README.md in this folder for why this is safe. */
export async function openGuard(options: GuardOptions): Promise<Guard> {
  const { database, clock } = options
  const memory = createMemory()
  const leaseMs = options.leaseMs ?? LEASE_MS
  const processId = options.ids.uuid()
  let trustedUntilMs = Number.NEGATIVE_INFINITY
  let renewals = 0

  // First the lease, then the changes: a later revocation waits for this lease, an earlier one is among the changes. In
  // the opposite order a revocation could fall between the two and be missed.
  async function renew(): Promise<void> {
    if (!isTrusted()) memory.clear()
    const startedAtMs = options.monotonicMs()
    await database.transaction((tx) => renewLease(tx, processId, leaseMs, memory.revision()))
    const before = memory.revision()
    memory.apply(await database.read((read) => readNews(read, before)), clock.now())
    trustedUntilMs = startedAtMs + leaseMs * TRUSTED_SHARE
    if (memory.revision() !== before) await database.transaction((tx) => reportSeen(tx, processId, memory.revision()))
    renewals += 1
    if (renewals % PRUNE_EVERY_RENEWALS === 0) await database.transaction((tx) => prune(tx, clock.now()))
  }

  function isTrusted(): boolean {
    return options.monotonicMs() < trustedUntilMs
  }

  function lookUp<State>(
    cache: Cache<State>,
    subject: string,
    find: (read: Read) => Promise<State | null>,
  ): Answer<State | null> {
    if (!isTrusted()) return database.read(find)
    const known = cache.find(subject)
    return known === undefined ? cache.load(subject, () => database.read(find)) : known
  }

  const everyMs = leaseMs / 3
  // Until a failed renewal succeeds, clients are read at each call.
  const loop = startLoop({
    name: 'renewing the lease of the access guard',
    log: options.log,
    everyMs,
    firstAfterMs: everyMs,
    backoff: { firstMs: everyMs, longestMs: everyMs },
    work: renew,
  })
  const listener = await options.onNotify(CHANGE_CHANNEL, () => void loop.run())
  await loop.run()

  return {
    isRevoked: (sessionId) =>
      isTrusted() ? memory.isRevoked(sessionId) : database.read((read) => isSessionRevoked(read, sessionId)),
    findClient: (clientId) => lookUp(memory.clients, clientId, (read) => findClientState(read, clientId)),
    findAccount: (id) => lookUp(memory.accounts, id, (read) => findAccount(read, id)),
    findDelegate: (companyId, userId) => database.read((read) => findDelegate(read, companyId, userId)),
    switches: () => (isTrusted() ? memory.switches() : database.read(readSwitches)),
    lastSwitches: () => memory.switches(),
    onNews: (watcher) => memory.onNews(watcher),
    async close() {
      await listener.close()
      await loop.close()
      trustedUntilMs = Number.NEGATIVE_INFINITY
      // If the database cannot be reached, the lease expires by itself.
      await database.transaction((tx) => endLease(tx, processId)).catch(() => {})
    },
  }
}
