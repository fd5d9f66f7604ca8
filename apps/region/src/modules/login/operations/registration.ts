import type { Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { insertAccount, type NewAccount } from '../../account/index.ts'
import { CODE_MINUTES, CODE_TRIES, codeEnd, hashCode, matchesCode, newCode, queueMail } from '../../mail/index.ts'
import type { LoginContext } from '../context.ts'
import {
  countTry,
  lockRegistration,
  markActivated,
  markConfirmed,
  putRegistration,
  type RegistrationDetails,
  removeRegistration,
  type StoredRegistration,
} from '../store/registrations.ts'
import type { UserType } from '../store/sessions.ts'
import { makeCredential, setCredential } from './credentials.ts'

export interface BegunRegistration {
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
  const { emailHash, isTaken, userType, email, details } = begun
  const credential = await makeCredential(context, context.ids.uuid<UserId>(), begun.verifier)
  const code = newCode(context.random)
  await context.database.transaction(async (tx) => {
    const isStored = await putRegistration(tx, {
      emailHash,
      userType,
      isTaken,
      email,
      details,
      credential,
      code: hashCode(context.settings.SECRET_PEPPER, code, purposeOf(emailHash)),
      expiresAt: codeEnd(context.clock.now()),
    })
    if (isStored && !isTaken) await mailCode(context, tx, begun, code)
    else await mailTaken(context, tx, email, details.language)
  })
}

/**
 * Creates the account; null for a wrong or expired code. The directory assigns the address before the account exists
 * here. Every step can be repeated: the same code again, or the periodic tidying after a crash, continues at the
 * missing step.
 */
export async function confirmRegistration(
  context: LoginContext,
  emailHash: string,
  code: string,
): Promise<ConfirmedAccount | null> {
  const confirmed = await context.database.transaction((tx) => takeCode(context, tx, emailHash, code))
  return confirmed === null ? null : finishRegistration(context, confirmed)
}

/** Also completes a confirmed registration after a crash. */
export async function finishRegistration(
  context: LoginContext,
  registration: StoredRegistration,
): Promise<ConfirmedAccount | null> {
  const { emailHash, userType, credential, shareCode } = registration
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
    if (!(await markActivated(tx, emailHash, userId, listing.shareCode))) return
    await insertAccount(tx, { ...account, ...listing, createdAt: context.clock.now() })
    await setCredential(context, tx, credential)
  })
  return { userId, userType, shareCode: listing.shareCode }
}

/** A wrong code is an answer, because an exception would roll back its count. */
async function takeCode(
  context: LoginContext,
  tx: Tx,
  emailHash: string,
  code: string,
): Promise<StoredRegistration | null> {
  const found = await lockRegistration(tx, emailHash)
  const now = context.clock.now()
  if (found === null || now >= found.expiresAt || found.tries >= CODE_TRIES) return null
  const isRight = matchesCode(context.settings.SECRET_PEPPER, found.code, code, purposeOf(emailHash)) && !found.isTaken
  if (!isRight) {
    await countTry(tx, emailHash)
    return null
  }
  await markConfirmed(tx, emailHash, now)
  return found
}

/** Another region registered the same address first. */
async function giveUp(context: LoginContext, tx: Tx, registration: StoredRegistration): Promise<void> {
  const { emailHash, credential, email, details } = registration
  const isRemoved = await removeRegistration(tx, emailHash, credential.userId)
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

function purposeOf(emailHash: string): string {
  return `register:${emailHash}`
}
