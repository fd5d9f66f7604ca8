import { createHash, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { announceSlowCall, EngineError, type Keyring, type Secret, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { createTurns } from '@sealpost/process'
import { openUnder, resealUnder, sealUnder } from '@sealpost/sealing'
import type { LoginContext } from '../context.ts'
import { type Credential, findCredential, lockCredential, putCredential, replaceSeal } from '../store/credentials.ts'

const COST = { N: 16_384, r: 8, p: 1 }
const HASH_BYTES = 32
const SALT_BYTES = 16
/** One thread of Node's four stays free for others, and more hashes than cores only make each slower. */
const turns = createTurns(Math.min(3, availableParallelism()))
const stretch = promisify<string, Uint8Array, number, typeof COST, Buffer>(scrypt)

/**
 * The scrypt hash of a verifier, sealed: a copy of the table alone does not allow guessing, and the hash can be sealed
 * anew under another key without the password. Slow: call it before the transaction opens.
 */
export async function makeCredential(
  context: Pick<LoginContext, 'settings' | 'random'>,
  userId: UserId,
  verifier: Secret<string>,
): Promise<Credential> {
  const salt = context.random.bytes(SALT_BYTES)
  const hash = await hashVerifier(context, verifier, salt)
  return { userId, salt, sealed: sealUnder(context.settings.SECRET_PEPPER, hash, credentialContext(userId)) }
}

/** Replaces the account's credential. */
export function setCredential(context: Pick<LoginContext, 'clock'>, tx: Tx, credential: Credential): Promise<void> {
  return putCredential(tx, credential, context.clock.now())
}

/** For seeds and the command line. `changePassword` does more in the same transaction. */
export async function setPassword(context: LoginContext, userId: UserId, verifier: Secret<string>): Promise<void> {
  const credential = await makeCredential(context, userId, verifier)
  await context.database.transaction((tx) => setCredential(context, tx, credential))
}

/**
 * Whether the verifier is the account's. An unknown account costs the same work, so that the time of an answer does not
 * tell whether it exists. A match seals the hash anew under the active key.
 */
export async function verifyCredential(
  context: Pick<LoginContext, 'database' | 'settings' | 'telemetry'>,
  userId: UserId,
  verifier: Secret<string>,
): Promise<boolean> {
  return (await matchCredential(context, userId, verifier)) !== null
}

/** The account's credential if the verifier matches it, else null. */
export async function matchCredential(
  context: Pick<LoginContext, 'database' | 'settings' | 'telemetry'>,
  userId: UserId,
  verifier: Secret<string>,
): Promise<Credential | null> {
  const found = await context.database.read((read) => findCredential(read, userId))
  const credential = found ?? decoyOf(context.settings.SECRET_PEPPER)
  const isRight = await context.telemetry.span('check credential', {}, async () => {
    const hash = await hashVerifier(context, verifier, credential.salt)
    return timingSafeEqual(
      hash,
      openUnder(context.settings.SECRET_PEPPER, credential.sealed, credentialContext(credential.userId)),
    )
  })
  if (found === null || !isRight) return null
  await renewSeal(context, found)
  return found
}

/** False when the credential was replaced since it was matched. FOR UPDATE: it stays until the transaction ends. */
export async function isInForce(tx: Tx, { userId, salt }: Credential): Promise<boolean> {
  const present = await lockCredential(tx, userId)
  return present !== null && Buffer.from(present.salt).equals(salt)
}

/** Identifies a credential without revealing it; a new password has another name. */
export function nameOfCredential({ salt }: Credential): string {
  return createHash('sha256').update(salt).digest('hex')
}

/** The name of the present credential, locked FOR UPDATE; null when the account is deleted. */
export async function lockCredentialName(tx: Tx, userId: UserId): Promise<string | null> {
  const present = await lockCredential(tx, userId)
  return present === null ? null : nameOfCredential(present)
}

async function renewSeal(
  { database, settings, telemetry }: Pick<LoginContext, 'database' | 'settings' | 'telemetry'>,
  { userId, sealed }: Credential,
): Promise<void> {
  const fresh = resealUnder(settings.SECRET_PEPPER, sealed, credentialContext(userId))
  if (fresh === null) return
  try {
    await database.transaction((tx) => replaceSeal(tx, userId, sealed, fresh))
  } catch (error) {
    // The verifier matched, so the login succeeds; the next one tries to seal again.
    telemetry.log.warn({ err: error }, 'a credential could not be sealed under the active key')
  }
}

/** Waits for half of the time that askers wait, see [Note: turns]; the other half is for the hash and the answer. */
function hashVerifier(
  { settings }: Pick<LoginContext, 'settings'>,
  verifier: Secret<string>,
  salt: Uint8Array,
): Promise<Buffer> {
  announceSlowCall('scrypt')
  return turns.take(settings.ASK_TIMEOUT_MS / 2, () => stretch(verifier.reveal(), salt, HASH_BYTES, COST), tooBusy)
}

function tooBusy(): EngineError {
  return new EngineError('too many passwords are checked at the same time', { engine: 'password check', state: 'busy' })
}

const decoys = new WeakMap<Keyring, Credential>()

/** Stands in for the credential of an unknown account: no verifier has this hash. */
function decoyOf(pepper: Keyring): Credential {
  const known = decoys.get(pepper)
  if (known !== undefined) return known
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no account has this id, on purpose
  const userId = 'decoy' as UserId
  const sealed = sealUnder(pepper, new Uint8Array(HASH_BYTES), credentialContext(userId))
  const decoy = { userId, salt: new Uint8Array(SALT_BYTES), sealed }
  decoys.set(pepper, decoy)
  return decoy
}

export function credentialContext(userId: UserId): string {
  return `login.credential:${userId}`
}
