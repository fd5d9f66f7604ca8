import { createHash } from 'node:crypto'
import type { Clock, Ids } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { Begun, Claim, IdempotencyStore, Lease } from './port.ts'
import { decideReuse, lifetimes } from './rules.ts'
import { deleteClaim, deleteExpired, findClaim, insertClaim, updateAnswer } from './store.ts'

export interface PostgresIdempotency extends IdempotencyStore {
  /** For a scheduled job: deletes up to `limit` expired claims and returns how many. */
  removeExpired(limit: number): Promise<number>
}

const ATTEMPTS = 5

/** Requires `idempotencyMigrations` in the same database. */
export function postgresIdempotency(database: Database, clock: Clock, ids: Ids): PostgresIdempotency {
  return {
    async begin(claim) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const begun = await tryBegin(database, claim, clock, ids)
        if (begun !== null) return begun
      }
      return { kind: 'running' }
    },
    async complete(lease, answer) {
      await database.transaction((tx) => updateAnswer(tx, keyOf(lease), answer))
    },
    async completeIn(tx, lease, answer) {
      if (!(await updateAnswer(tx, keyOf(lease), answer))) throw refuse('idempotency.in_progress')
    },
    async release(lease) {
      await database.transaction((tx) => deleteClaim(tx, keyOf(lease)))
    },
    removeExpired: (limit) => database.transaction((tx) => deleteExpired(tx, clock.now(), limit)),
  }
}

/** Null when the conflicting claim was deleted in the meantime. */
async function tryBegin(database: Database, claim: Claim, clock: Clock, ids: Ids): Promise<Begun | null> {
  const now = clock.now()
  const { caller, bodyHash } = claim
  const row = { caller, id: idOf(claim), bodyHash, token: ids.uuid(), ...lifetimes(now) }
  const isTaken = await database.transaction((tx) => insertClaim(tx, row, now))
  if (isTaken) return { kind: 'started', lease: { claim, token: row.token } }
  const earlier = await database.read((read) => findClaim(read, caller, row.id))
  const begun = earlier === null ? null : decideReuse(earlier, bodyHash, now)
  return begun === null || begun.kind === 'free' ? null : begun
}

function keyOf({ claim, token }: Lease): { readonly caller: string; readonly id: Buffer; readonly token: string } {
  return { caller: claim.caller, id: idOf(claim), token }
}

function idOf({ method, path, key }: Claim): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, path, key]))
    .digest()
}
