import { DIRECTORY } from '@sealpost/bus'
import type { Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { putKdfAsk, refuse } from '@sealpost/protocol'
import { changeKeyWraps, findAccount, findAccountKeys, type KeyWraps } from '../../account/index.ts'
import { queueMail } from '../../mail/index.ts'
import { makeCredential, setCredential, verifyCredential } from '../credentials.ts'
import type { LoginNeeds } from '../needs.ts'
import { endFamilies, spreadRevocations } from '../sessions.ts'
import { type Credential, findCredential, lockCredential } from '../store/credentials.ts'
import { wrongMember } from './refusals.ts'

export interface PasswordChange {
  readonly userId: UserId
  /** The session that stays. */
  readonly sessionId: string
  readonly current: Secret<string>
  readonly verifier: Secret<string>
  readonly wraps: KeyWraps
}

/**
 * [Note: a password changes at once] Credential, wrapped keys, the word to the directory and the end of all other sessions
 * and grants are one transaction, so after any failure either the old password is good for everything or the new one is. What
 * follows the commit may fail and be repeated: then the new verifier is found in force already, and the call goes on.
 */
export async function changePassword(needs: LoginNeeds, change: PasswordChange): Promise<void> {
  const { userId } = change
  const before = await needs.database.read((read) => findCredential(read, userId))
  if (before !== null && (await verifyCredential(needs, userId, change.current))) {
    const credential = await makeCredential(needs, userId, change.verifier)
    await needs.database.transaction((tx) => store(needs, tx, change, before, credential))
  } else if (!(await verifyCredential(needs, userId, change.verifier))) {
    throw refuse('session.invalid')
  }
  const { others, settleGrants } = await needs.database.transaction((tx) => endOthers(needs, tx, change))
  await spreadRevocations(needs, others)
  await settleGrants()
  await hurryKdf(needs, userId)
}

async function store(
  needs: LoginNeeds,
  tx: Tx,
  change: PasswordChange,
  before: Credential,
  credential: Credential,
): Promise<void> {
  const { userId, wraps } = change
  // Of two changes at once the second proved a password that is none any more.
  const present = await lockCredential(tx, userId)
  if (present === null || !Buffer.from(present.salt).equals(before.salt)) throw refuse('session.invalid')
  const account = await findAccount(tx, userId)
  if (account === null) throw refuse('session.invalid')
  if (account.publicKey === null) throw wrongMember('', 'this account has no keys yet; store them first')
  if (account.recoveryPublicKey !== null && wraps.encryptedRecoveryKey === null) {
    throw wrongMember('/encrypted_recovery_key', 'is needed: nobody could open the recovery key any more')
  }
  await setCredential(needs, tx, credential)
  await changeKeyWraps(needs, tx, userId, {
    ...wraps,
    encryptedRecoveryKey: account.recoveryPublicKey === null ? null : wraps.encryptedRecoveryKey,
  })
  await endOthers(needs, tx, change)
  const { email: to, language } = account
  await queueMail(needs.mail, tx, { to, template: 'password_changed', values: {}, language })
}

/** Everything that the old password may have let in: other sessions, and grants to clients. */
async function endOthers(needs: LoginNeeds, tx: Tx, { userId, sessionId }: PasswordChange) {
  const others = await endFamilies(needs, tx, userId, { exceptId: sessionId })
  return { others, settleGrants: await needs.endGrants(tx, userId) }
}

/** The directory hears of it anyway; asked, it knows before whoever changed the password logs in with it. */
async function hurryKdf({ database, bus, ids, telemetry }: LoginNeeds, userId: UserId): Promise<void> {
  const keys = await database.read((read) => findAccountKeys(read, userId))
  if (keys === null) return
  const body = { user_id: userId, kdf: keys.kdf, rev: keys.kdfRev }
  try {
    await bus.ask(putKdfAsk, { to: DIRECTORY, id: `put_kdf:${userId}:${ids.uuid()}`, body })
  } catch (error) {
    telemetry.log.warn({ err: error }, 'the directory could not be asked to take a new kdf; it is told instead')
  }
}
