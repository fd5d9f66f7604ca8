import type { Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { insertAccount, type NewAccount } from '../../account/index.ts'
import { CODE_MINUTES, CODE_TRIES, codeEnd, hashCode, matchesCode, newCode, queueMail } from '../../mail/index.ts'
import type { LoginContext } from '../context.ts'
import {
  countTry,
  insertRegistration,
  lockRegistration,
  markActivated,
  markConfirmed,
  type RegistrationDetails,
  type RegistrationName,
  removeRegistration,
  type StoredRegistration,
} from '../store/registrations.ts'
import type { UserType } from '../store/sessions.ts'
import { makeCredential, setCredential } from './credentials.ts'

export interface BegunRegistration {
  readonly tokenHash: Uint8Array
  readonly isTaken: boolean
  readonly userType: UserType
  readonly email: string
  readonly emailHash: string
  readonly verifier: Secret<string>
  readonly details: RegistrationDetails
}

export interface ConfirmedAccount {
  readonly userId: UserId
  readonly userType: UserType
  readonly shareCode: string
}

/**
 * Stores the registration until the mailed code is given. For an address that has an account, the same work is done and
 * the same row written, so that only the mail differs; the code of such a row is never sent.
 */
export async function beginRegistration(context: LoginContext, begun: BegunRegistration): Promise<void> {
  const { tokenHash, emailHash, isTaken, userType, email, details } = begun
  const credential = await makeCredential(context, context.ids.uuid<UserId>(), begun.verifier)
  const code = newCode(context.random)
  await context.database.transaction(async (tx) => {
    await insertRegistration(tx, {
      tokenHash,
      emailHash,
      userType,
      isTaken,
      email,
      details,
      credential,
      code: hashCode(context.settings.SECRET_PEPPER, code, purposeOf(tokenHash)),
      expiresAt: codeEnd(context.clock.now()),
    })
    if (isTaken) await mailTaken(context, tx, email, details.language)
    else await mailCode(context, tx, begun, code)
  })
}

/**
 * Creates the account; null for a code that is wrong, expired or of another registration. The directory assigns the address before the account exists
 * here. Every step can be repeated: the same code again, or the periodic tidying after a crash, continues at the
 * missing step.
 */
export async function confirmRegistration(
  context: LoginContext,
  name: RegistrationName,
  code: string,
): Promise<ConfirmedAccount | null> {
  const confirmed = await context.database.transaction((tx) => takeCode(context, tx, name, code))
  return confirmed === null ? null : finishRegistration(context, confirmed)
}

/** Also completes a confirmed registration after a crash. */
export async function finishRegistration(
  context: LoginContext,
  registration: StoredRegistration,
): Promise<ConfirmedAccount | null> {
  const { userType, credential, shareCode } = registration
  const { userId } = credential
  if (shareCode !== null) return { userId, userType, shareCode }
  const account = accountOf(registration)
  const listing = await context.directory.putAccount({
    userId,
    userType,
    region: context.region,
    level: account.level,
    email: account.email,
    kdf: account.kdf,
    publicKey: registration.details.publicKey,
  })
  if (listing === null) {
    await context.database.transaction((tx) => giveUp(context, tx, registration))
    return null
  }
  await context.database.transaction(async (tx) => {
    // Once: a late repetition must neither restore a password that was changed since nor a deleted account.
    if (!(await markActivated(tx, registration, userId, listing.shareCode))) return
    await insertAccount(tx, { ...account, ...listing, createdAt: context.clock.now() })
    await setCredential(context, tx, credential)
  })
  return { userId, userType, shareCode: listing.shareCode }
}

/** A wrong code is an answer, because an exception would roll back its count. */
async function takeCode(
  context: LoginContext,
  tx: Tx,
  name: RegistrationName,
  code: string,
): Promise<StoredRegistration | null> {
  const found = await lockRegistration(tx, name)
  const now = context.clock.now()
  if (found === null || now >= found.expiresAt || found.tries >= CODE_TRIES) return null
  const isRight =
    matchesCode(context.settings.SECRET_PEPPER, found.code, code, purposeOf(found.tokenHash)) && !found.isTaken
  if (!isRight) {
    await countTry(tx, name)
    return null
  }
  await markConfirmed(tx, name, now)
  return found
}

/** Another registration of the same address was completed first. */
async function giveUp(context: LoginContext, tx: Tx, registration: StoredRegistration): Promise<void> {
  const { credential, email, details } = registration
  const isRemoved = await removeRegistration(tx, registration, credential.userId)
  if (isRemoved) await mailTaken(context, tx, email, details.language)
}

function accountOf({ credential, userType, email, details }: StoredRegistration): NewAccount {
  const { displayName, language, kdf, publicKey, encryptedPrivateKey } = details
  const { recoveryPublicKey, encryptedRecoveryKey } = details
  const hasRecovery = recoveryPublicKey !== null && encryptedRecoveryKey !== null
  return {
    id: credential.userId,
    userType,
    email,
    displayName,
    language,
    level: 'free',
    kdf,
    keys: { publicKey, encryptedPrivateKey },
    recoveryKeys: hasRecovery ? { publicKey: recoveryPublicKey, encryptedPrivateKey: encryptedRecoveryKey } : null,
  }
}

function mailCode(context: LoginContext, tx: Tx, { email, details }: BegunRegistration, code: string): Promise<void> {
  const values = { code, minutes: CODE_MINUTES }
  return queueMail(context, tx, { to: email, template: 'register_code', values, language: details.language })
}

function mailTaken(context: LoginContext, tx: Tx, to: string, language: string): Promise<void> {
  return queueMail(context, tx, { to, template: 'register_taken', values: {}, language })
}

function purposeOf(tokenHash: Uint8Array): string {
  return `register:${Buffer.from(tokenHash).toString('hex')}`
}
