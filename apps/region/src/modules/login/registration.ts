import type { Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { insertAccount, type NewAccount } from '../account/index.ts'
import { CODE_MINUTES, CODE_TRIES, codeEnd, hashCode, matchesCode, newCode, queueMail } from '../mail/index.ts'
import { makeCredential, setCredential } from './credentials.ts'
import type { LoginNeeds } from './needs.ts'
import {
  countTry,
  lockRegistration,
  markActivated,
  markConfirmed,
  putRegistration,
  type RegistrationDetails,
  removeRegistration,
  type StoredRegistration,
} from './store/registrations.ts'
import type { UserType } from './store/sessions.ts'

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
 * Keeps what the account will be until the mailed code comes back. For an address that has an account the same work is
 * done and the same row written, so that nothing but the mail tells; the code of such a row is never sent.
 */
export async function beginRegistration(needs: LoginNeeds, begun: BegunRegistration): Promise<void> {
  const { emailHash, isTaken, userType, email, details } = begun
  const credential = await makeCredential(needs, needs.ids.uuid<UserId>(), begun.verifier)
  const code = newCode(needs.random)
  await needs.database.transaction(async (tx) => {
    const isStored = await putRegistration(tx, {
      emailHash,
      userType,
      isTaken,
      email,
      details,
      credential,
      code: hashCode(needs.pepper, code, purposeOf(emailHash)),
      expiresAt: codeEnd(needs.clock.now()),
    })
    if (isStored && !isTaken) await mailCode(needs, tx, begun, code)
    else await mailTaken(needs, tx, email, details.language)
  })
}

/**
 * Makes the account of a right code; null for a wrong or old one. The directory decides whose the address is, before
 * the account exists here. Every step can be repeated: the same code again, or the upkeep after a crash, goes on where the
 * last one stopped.
 */
export async function confirmRegistration(
  needs: LoginNeeds,
  emailHash: string,
  code: string,
): Promise<ConfirmedAccount | null> {
  const confirmed = await needs.database.transaction((tx) => takeCode(needs, tx, emailHash, code))
  return confirmed === null ? null : finishRegistration(needs, confirmed)
}

/** Also for what a crash left half done. */
export async function finishRegistration(
  needs: LoginNeeds,
  registration: StoredRegistration,
): Promise<ConfirmedAccount | null> {
  const { emailHash, userType, credential, shareCode } = registration
  const { userId } = credential
  if (shareCode !== null) return { userId, userType, shareCode }
  const account = accountOf(registration)
  const listing = await needs.directory.putAccount({
    userId,
    userType,
    region: needs.region,
    level: account.level,
    email: account.email,
    kdf: account.kdf,
    publicKey: registration.details.publicKey,
  })
  if (listing === null) {
    await needs.database.transaction((tx) => giveUp(needs, tx, registration))
    return null
  }
  await needs.database.transaction(async (tx) => {
    // Once: whoever comes late must neither take back a password that was changed since nor revive what was deleted.
    if (!(await markActivated(tx, emailHash, userId, listing.shareCode))) return
    await insertAccount(tx, { ...account, ...listing, createdAt: needs.clock.now() })
    await setCredential(needs, tx, credential)
  })
  return { userId, userType, shareCode: listing.shareCode }
}

/** A wrong code must count, so it is an answer and not an exception that would undo the counting. */
async function takeCode(
  needs: LoginNeeds,
  tx: Tx,
  emailHash: string,
  code: string,
): Promise<StoredRegistration | null> {
  const found = await lockRegistration(tx, emailHash)
  const now = needs.clock.now()
  if (found === null || now >= found.expiresAt || found.tries >= CODE_TRIES) return null
  const isRight = matchesCode(needs.pepper, found.code, code, purposeOf(emailHash)) && !found.isTaken
  if (!isRight) {
    await countTry(tx, emailHash)
    return null
  }
  await markConfirmed(tx, emailHash, now)
  return found
}

/** Somebody else was quicker with the same address, in another region. */
async function giveUp(needs: LoginNeeds, tx: Tx, registration: StoredRegistration): Promise<void> {
  const { emailHash, credential, email, details } = registration
  const isRemoved = await removeRegistration(tx, emailHash, credential.userId)
  if (isRemoved) await mailTaken(needs, tx, email, details.language)
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

function mailCode(needs: LoginNeeds, tx: Tx, { email, details }: BegunRegistration, code: string): Promise<void> {
  const values = { code, minutes: CODE_MINUTES }
  return queueMail(needs.mail, tx, { to: email, template: 'register_code', values, language: details.language })
}

function mailTaken(needs: LoginNeeds, tx: Tx, to: string, language: string): Promise<void> {
  return queueMail(needs.mail, tx, { to, template: 'register_taken', values: {}, language })
}

function purposeOf(emailHash: string): string {
  return `register:${emailHash}`
}
