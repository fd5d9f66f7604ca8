import type { ClientId, Clock, Ids, UserId } from '@sealpost/kernel'
import type { Database, Read } from '@sealpost/postgres'
import type { Log } from '@sealpost/telemetry'
import { findAccount, findDelegate } from '../../account/index.ts'
import type { Cache } from './cache.ts'
import type { AccountState, ClientState, DelegateState } from './client-state.ts'
import { createMemory } from './memory.ts'
import { startRenewalLoop } from './renewal-loop.ts'
import {
  endLease,
  findClientState,
  isSessionRevoked,
  prune,
  readNews,
  readSwitches,
  renewLease,
  reportSeen,
  type Switches,
} from './store.ts'

export interface GuardNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Milliseconds that never jump; the lease is counted on it. */
  monotonicMs(): number
  /** Calls back when another process changed something; answers how to stop listening. */
  onChange(act: () => void): Promise<() => Promise<void>>
  readonly leaseMs?: number
}

type Answer<T> = T | Promise<T>

/** Every answer is synchronous while the lease holds and what it is about is remembered. */
export interface Guard {
  isRevoked(sessionId: string): Answer<boolean>
  /** These three answer null when this region holds nothing of the kind. */
  findClient(clientId: ClientId): Answer<ClientState | null>
  findAccount(id: UserId): Answer<AccountState | null>
  /** Never remembered: delegates are few, and a removal must act at once. */
  findDelegate(companyId: UserId, userId: UserId): Promise<DelegateState | null>
  switches(): Answer<Switches>
  /** As last heard of, for those who only want to tell the state. */
  lastSwitches(): Switches
  close(): Promise<void>
}

const LEASE_MS = 3000
/** Two clocks may run at slightly different speeds, so trust ends a little before the lease does. */
const TRUSTED_SHARE = 0.8
const PRUNE_EVERY_RENEWALS = 600

/** See README.md in this folder for why this is safe. */
export async function openGuard(needs: GuardNeeds): Promise<Guard> {
  const { database, clock } = needs
  const memory = createMemory()
  const leaseMs = needs.leaseMs ?? LEASE_MS
  const processId = needs.ids.uuid()
  let trustedUntilMs = Number.NEGATIVE_INFINITY
  let renewals = 0

  // The lease comes first and the news after it: whoever revokes from now on waits for us, whatever was revoked before
  // is in the news. The other way round a revocation could fall between the two and be seen by nobody.
  async function renew(): Promise<void> {
    if (!isTrusted()) memory.clear()
    const startedAtMs = needs.monotonicMs()
    await database.transaction((tx) => renewLease(tx, processId, leaseMs, memory.revision()))
    const before = memory.revision()
    memory.apply(await database.read((read) => readNews(read, before)), clock.now())
    trustedUntilMs = startedAtMs + leaseMs * TRUSTED_SHARE
    if (memory.revision() !== before) await database.transaction((tx) => reportSeen(tx, processId, memory.revision()))
    renewals += 1
    if (renewals % PRUNE_EVERY_RENEWALS === 0) await database.transaction((tx) => prune(tx, clock.now()))
  }

  function isTrusted(): boolean {
    return needs.monotonicMs() < trustedUntilMs
  }

  function look<State>(
    cache: Cache<State>,
    subject: string,
    find: (read: Read) => Promise<State | null>,
  ): Answer<State | null> {
    if (!isTrusted()) return database.read(find)
    const known = cache.find(subject)
    return known === undefined ? cache.load(subject, () => database.read(find)) : known
  }

  const loop = startRenewalLoop(renew, leaseMs / 3, needs.log)
  const stopListening = await needs.onChange(() => void loop.turn())
  await loop.turn()

  return {
    isRevoked: (sessionId) =>
      isTrusted() ? memory.isRevoked(sessionId) : database.read((read) => isSessionRevoked(read, sessionId)),
    findClient: (clientId) => look(memory.clients, clientId, (read) => findClientState(read, clientId)),
    findAccount: (id) => look(memory.accounts, id, (read) => findAccount(read, id)),
    findDelegate: (companyId, userId) => database.read((read) => findDelegate(read, companyId, userId)),
    switches: () => (isTrusted() ? memory.switches() : database.read(readSwitches)),
    lastSwitches: () => memory.switches(),
    async close() {
      await stopListening()
      await loop.stop()
      trustedUntilMs = Number.NEGATIVE_INFINITY
      // Without the database the lease ends by itself, a little later.
      await database.transaction((tx) => endLease(tx, processId)).catch(() => {})
    },
  }
}
