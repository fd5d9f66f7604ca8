import { createHash, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { announceSlowAct, type Keyring, type Secret, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { openUnder, resealUnder, sealUnder } from '@sealpost/sealing'
import type { LoginNeeds } from './needs.ts'
import { type Credential, findCredential, lockCredential, putCredential, replaceSeal } from './store/credentials.ts'

const COST = { N: 16_384, r: 8, p: 1 }
const HASH_BYTES = 32
const SALT_BYTES = 16
const stretch = promisify<string, Uint8Array, number, typeof COST, Buffer>(scrypt)

/**
 * What the region keeps of a verifier: its scrypt hash, sealed, so that a copy of the table lets nobody even begin to
 * guess, and so that it can be moved to another key without the password. Slow: make it before the transaction opens.
 */
export async function makeCredential(
  needs: Pick<LoginNeeds, 'pepper' | 'random'>,
  userId: UserId,
  verifier: Secret<string>,
): Promise<Credential> {
  const salt = needs.random.bytes(SALT_BYTES)
  const hash = await hashVerifier(verifier, salt)
  return { userId, salt, sealed: sealUnder(needs.pepper, hash, credentialContext(userId)) }
}

/** The account's only credential from now on. */
export function setCredential(needs: Pick<LoginNeeds, 'clock'>, tx: Tx, credential: Credential): Promise<void> {
  return putCredential(tx, credential, needs.clock.now())
}

/** For seeds and the command line: whoever else sets a credential has more to do in the same transaction. */
export async function setPassword(needs: LoginNeeds, userId: UserId, verifier: Secret<string>): Promise<void> {
  const credential = await makeCredential(needs, userId, verifier)
  await needs.database.transaction((tx) => setCredential(needs, tx, credential))
}

/**
 * Whether the verifier is the account's. An account that does not exist costs the same work, so that time does not tell
 * who has one. A right one leaves an old key behind.
 */
export async function verifyCredential(
  needs: Pick<LoginNeeds, 'database' | 'pepper' | 'telemetry'>,
  userId: UserId,
  verifier: Secret<string>,
): Promise<boolean> {
  return (await matchCredential(needs, userId, verifier)) !== null
}

/** The credential that the verifier fits; null when it fits none. */
export async function matchCredential(
  needs: Pick<LoginNeeds, 'database' | 'pepper' | 'telemetry'>,
  userId: UserId,
  verifier: Secret<string>,
): Promise<Credential | null> {
  const found = await needs.database.read((read) => findCredential(read, userId))
  const credential = found ?? decoyOf(needs.pepper)
  const isRight = await needs.telemetry.span('check credential', {}, async () => {
    const hash = await hashVerifier(verifier, credential.salt)
    return timingSafeEqual(hash, openUnder(needs.pepper, credential.sealed, credentialContext(credential.userId)))
  })
  if (found === null || !isRight) return null
  await renewSeal(needs, found)
  return found
}

/** Whether nothing has replaced it since it was matched; and nothing will until the transaction ends. */
export async function isInForce(tx: Tx, { userId, salt }: Credential): Promise<boolean> {
  const present = await lockCredential(tx, userId)
  return present !== null && Buffer.from(present.salt).equals(salt)
}

/** Names a credential without telling anything of it; a new password has another name. */
export function nameOfCredential({ salt }: Credential): string {
  return createHash('sha256').update(salt).digest('hex')
}

/** The name of the one in force, which nobody can change until the transaction ends; null when the account is gone. */
export async function lockCredentialName(tx: Tx, userId: UserId): Promise<string | null> {
  const present = await lockCredential(tx, userId)
  return present === null ? null : nameOfCredential(present)
}

async function renewSeal(
  { database, pepper, telemetry }: Pick<LoginNeeds, 'database' | 'pepper' | 'telemetry'>,
  { userId, sealed }: Credential,
): Promise<void> {
  const fresh = resealUnder(pepper, sealed, credentialContext(userId))
  if (fresh === null) return
  try {
    await database.transaction((tx) => replaceSeal(tx, userId, sealed, fresh))
  } catch (error) {
    // The verifier was right: whoever logs in gets in, and the next login tries again.
    telemetry.log.warn({ err: error }, 'a credential could not be sealed under the active key')
  }
}

function hashVerifier(verifier: Secret<string>, salt: Uint8Array): Promise<Buffer> {
  announceSlowAct('scrypt')
  return stretch(verifier.reveal(), salt, HASH_BYTES, COST)
}

const decoys = new WeakMap<Keyring, Credential>()

/** Nobody's: a hash that no verifier has. */
function decoyOf(pepper: Keyring): Credential {
  const known = decoys.get(pepper)
  if (known !== undefined) return known
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names nobody, on purpose
  const userId = 'nobody' as UserId
  const sealed = sealUnder(pepper, new Uint8Array(HASH_BYTES), credentialContext(userId))
  const decoy = { userId, salt: new Uint8Array(SALT_BYTES), sealed }
  decoys.set(pepper, decoy)
  return decoy
}

export function credentialContext(userId: UserId): string {
  return `login.credential:${userId}`
}
