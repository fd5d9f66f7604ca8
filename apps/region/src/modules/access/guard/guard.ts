import type { ClientId, Clock, Ids } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Log } from '@sealpost/telemetry'
import type { ClientState } from './client-state.ts'
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

/** Every answer is synchronous while the lease holds and the client is remembered. */
export interface Guard {
  /** Null when this region holds no such client, or when the session was revoked. */
  findClient(clientId: ClientId, sessionId: string): ClientState | null | Promise<ClientState | null>
  switches(): Switches | Promise<Switches>
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

  function load(clientId: ClientId): Promise<ClientState | null> {
    return memory.load(clientId, () => database.read((read) => findClientState(read, clientId)))
  }

  async function lookUp(clientId: ClientId, sessionId: string): Promise<ClientState | null> {
    const isRevoked = await database.read((read) => isSessionRevoked(read, sessionId))
    return isRevoked ? null : database.read((read) => findClientState(read, clientId))
  }

  const loop = startRenewalLoop(renew, leaseMs / 3, needs.log)
  const stopListening = await needs.onChange(() => void loop.turn())
  await loop.turn()

  return {
    findClient(clientId, sessionId) {
      if (!isTrusted()) return lookUp(clientId, sessionId)
      if (memory.isRevoked(sessionId)) return null
      const known = memory.find(clientId)
      return known === undefined ? load(clientId) : known
    },
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
