import { Secret, type UserId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import type { RunningRegion } from '@sealpost/region'
import { openUnder, sealUnder } from '@sealpost/sealing'
import { insideOf } from './inside.ts'

interface KnownHash {
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

/** By verifier. A hash costs as much CPU time as all else of an account, and accounts get few passwords in turn. */
const hashes = new Map<string, KnownHash>()

/** Past the routes. The second account with the same password gets a copy of the hash, sealed for it. */
export async function setPassword(region: RunningRegion, userId: UserId, authVerifier: string): Promise<void> {
  const { operations, database, clock, pepper } = insideOf(region)
  const known = hashes.get(authVerifier)
  if (known === undefined) {
    await operations.setPassword(userId, new Secret(authVerifier))
    hashes.set(authVerifier, await readHash(region, userId))
    return
  }
  const { keyId, bytes } = sealUnder(pepper, known.hash, contextOf(userId))
  const sql = `insert into login.credential (user_id, salt, key_id, sealed, changed_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0))
    on conflict (user_id) do update set salt = excluded.salt, key_id = excluded.key_id, sealed = excluded.sealed,
      changed_at = excluded.changed_at`
  await database.transaction((tx) => runStatement(tx, sql, [userId, known.salt, keyId, bytes, clock.now()]))
}

async function readHash(region: RunningRegion, userId: UserId): Promise<KnownHash> {
  const { database, pepper } = insideOf(region)
  const sql = 'select salt, key_id as "keyId", sealed as bytes from login.credential where user_id = $1'
  const [row] = await database.read((read) =>
    runStatement<{ salt: Buffer; keyId: string; bytes: Buffer }>(read, sql, [userId]),
  )
  if (row === undefined) throw new Error(`${userId} has no password`)
  return { salt: row.salt, hash: openUnder(pepper, row, contextOf(userId)) }
}

/** As the module `login` has it; under another one no login succeeds. */
function contextOf(userId: UserId): string {
  return `login.credential:${userId}`
}
