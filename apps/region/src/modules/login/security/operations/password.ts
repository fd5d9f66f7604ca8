import { DIRECTORY } from '@sealpost/bus'
import type { Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { putKdfAsk, refuse } from '@sealpost/protocol'
import { changeKeyWraps, findAccount, findAccountKeys, type KeyWraps } from '../../../account/index.ts'
import { queueMail } from '../../../mail/index.ts'
import type { LoginContext } from '../../context.ts'
import { makeCredential, setCredential, verifyCredential } from '../../operations/credentials.ts'
import { endFamilies, spreadRevocations } from '../../operations/sessions.ts'
import { type Credential, findCredential, lockCredential } from '../../store/credentials.ts'
import { wrongMember } from '../rules/refusals.ts'

export interface PasswordChange {
  readonly userId: UserId
  /** The session that is not revoked. */
  readonly sessionId: string
  readonly current: Secret<string>
  readonly verifier: Secret<string>
  readonly wraps: KeyWraps
}

/**
 * [Note: a password changes in one transaction] Credential, wrapped keys, the tell to the directory and the end of all
 * other sessions and grants are one transaction, so after any failure either the old password is valid for everything
 * or the new one is. The steps after the commit may fail: a repeated call finds the new verifier in force and continues
 * with them.
 */
export async function changePassword(context: LoginContext, change: PasswordChange): Promise<void> {
  const { userId } = change
  const before = await context.database.read((read) => findCredential(read, userId))
  if (before !== null && (await verifyCredential(context, userId, change.current))) {
    const credential = await makeCredential(context, userId, change.verifier)
    await context.database.transaction((tx) => store(context, tx, change, before, credential))
  } else if (!(await verifyCredential(context, userId, change.verifier))) {
    throw refuse('session.invalid')
  }
  const { others, revokeGrants } = await context.database.transaction((tx) => endOthers(context, tx, change))
  await spreadRevocations(context, others)
  await revokeGrants()
  await hurryKdf(context, userId)
}

async function store(
  context: LoginContext,
  tx: Tx,
  change: PasswordChange,
  before: Credential,
  credential: Credential,
): Promise<void> {
  const { userId, wraps } = change
  // The second of two concurrent changes checked a password that has been replaced.
  const present = await lockCredential(tx, userId)
  if (present === null || !Buffer.from(present.salt).equals(before.salt)) throw refuse('session.invalid')
  const account = await findAccount(tx, userId)
  if (account === null) throw refuse('session.invalid')
  if (account.publicKey === null) throw wrongMember('', 'this account has no keys yet; store them first')
  if (account.recoveryPublicKey !== null && wraps.encryptedRecoveryKey === null) {
    throw wrongMember('/encrypted_recovery_key', 'is required: otherwise the recovery key could not be opened any more')
  }
  await setCredential(context, tx, credential)
  await changeKeyWraps(context, tx, userId, {
    ...wraps,
    encryptedRecoveryKey: account.recoveryPublicKey === null ? null : wraps.encryptedRecoveryKey,
  })
  await endOthers(context, tx, change)
  const { email: to, language } = account
  await queueMail(context, tx, { to, template: 'password_changed', values: {}, language })
}

/** Ends all that the old password may have opened: other sessions, and grants to clients. */
async function endOthers(context: LoginContext, tx: Tx, { userId, sessionId }: PasswordChange) {
  const others = await endFamilies(context, tx, userId, { exceptId: sessionId })
  return { others, revokeGrants: await context.hooks.endGrants(tx, userId) }
}

/** The tell reaches the directory in any case; the ask reaches it before the user logs in with the new password. */
async function hurryKdf({ database, bus, ids, telemetry }: LoginContext, userId: UserId): Promise<void> {
  const keys = await database.read((read) => findAccountKeys(read, userId))
  if (keys === null) return
  const body = { user_id: userId, kdf: keys.kdf, rev: keys.kdfRev }
  try {
    await bus.ask(putKdfAsk, { to: DIRECTORY, id: `put_kdf:${userId}:${ids.uuid()}`, body })
  } catch (error) {
    telemetry.log.warn(
      { err: error },
      'the directory could not be asked to store a new kdf; the tell will arrive later',
    )
  }
}
