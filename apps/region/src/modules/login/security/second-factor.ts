import type { Instant, Secret, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { openUnder, sealUnder } from '@sealpost/sealing'
import { findAccount } from '../../account/index.ts'
import { verifyCredential } from '../credentials.ts'
import type { LoginNeeds } from '../needs.ts'
import type { SecondFactorVerdict } from '../second-factor.ts'
import { lockCredential } from '../store/credentials.ts'
import { hashBackupCode, newBackupCodes, withoutCode } from './backup-codes.ts'
import { wrongCode, wrongMember } from './refusals.ts'
import { deleteBrowsers } from './store/devices.ts'
import {
  beginSecondFactor,
  findSecondFactor,
  lockSecondFactor,
  removeSecondFactor,
  type SecondFactor,
  updateSecondFactor,
} from './store/second-factor.ts'
import { findStep, newTotpSecret, totpUrl } from './totp.ts'

/** What is sealed: the authenticator's secret, and the hashes of the backup codes that are left. */
interface FactorContent {
  readonly secret: string
  readonly backupHashes: readonly string[]
}

const CONFIRM_WITHIN_MS = 30 * 60_000

/** Judges the one-time code of a login whose verifier was right. A code that passes never passes again. */
export async function checkSecondFactor(
  needs: LoginNeeds,
  userId: UserId,
  otp: string | null,
): Promise<SecondFactorVerdict> {
  const found = await needs.database.read((read) => findSecondFactor(read, userId))
  if (found === null || found.confirmedAt === null) return 'off'
  if (otp === null) return 'missing'
  const isRight = await needs.database.transaction((tx) => takeCode(needs, tx, userId, otp))
  return isRight ? 'passed' : 'wrong'
}

/** Whether this user's logins ask for a code. */
export async function hasSecondFactor(read: Read, userId: UserId): Promise<boolean> {
  return ((await findSecondFactor(read, userId))?.confirmedAt ?? null) !== null
}

async function takeCode(needs: LoginNeeds, tx: Tx, userId: UserId, otp: string): Promise<boolean> {
  const factor = await lockSecondFactor(tx, userId)
  if (factor === null || factor.confirmedAt === null) return false
  const content = openFactor(needs, factor)
  const step = findStep(content.secret, otp.trim(), needs.clock.now())
  if (step !== null) {
    if (step <= factor.lastStep) return false
    await updateSecondFactor(tx, { ...factor, lastStep: step })
    return true
  }
  const backupHashes = withoutCode(content.backupHashes, otp)
  if (backupHashes === null) return false
  await updateSecondFactor(tx, { ...factor, sealed: sealFactor(needs, userId, { ...content, backupHashes }) })
  return true
}

export interface FactorState {
  readonly enabledAt: Instant | null
  readonly backupCodesLeft: number
}

export async function readSecondFactor(needs: LoginNeeds, userId: UserId): Promise<FactorState> {
  const factor = await needs.database.read((read) => findSecondFactor(read, userId))
  if (factor === null || factor.confirmedAt === null) return { enabledAt: null, backupCodesLeft: 0 }
  return { enabledAt: factor.confirmedAt, backupCodesLeft: openFactor(needs, factor).backupHashes.length }
}

/** The first step: a secret for the authenticator. Logins go on without a code until one of its codes has come back. */
export async function beginEnabling(
  needs: LoginNeeds,
  userId: UserId,
  verifier: Secret<string>,
): Promise<{ readonly secret: string; readonly url: string }> {
  await provePassword(needs, userId, verifier)
  const secret = newTotpSecret(needs.random)
  const email = await needs.database.transaction(async (tx) => {
    const sealed = sealFactor(needs, userId, { secret, backupHashes: [] })
    const isBegun = await beginSecondFactor(tx, userId, sealed, needs.clock.now())
    if (!isBegun) throw wrongMember('', 'one-time codes are asked for already; switch them off first')
    return (await findAccount(tx, userId))?.email ?? ''
  })
  return { secret, url: totpUrl(secret, email) }
}

/** The second step: from now on logins ask for a code. Browsers that were trusted without one are no longer. */
export async function confirmEnabling(needs: LoginNeeds, userId: UserId, code: string): Promise<readonly string[]> {
  const codes = newBackupCodes(needs.random)
  const isRight = await needs.database.transaction(async (tx) => {
    // A login that was let in without a code holds this: it has trusted its browser before the line below, or looks again.
    await lockCredential(tx, userId)
    const factor = await lockSecondFactor(tx, userId)
    const now = needs.clock.now()
    if (factor === null || factor.confirmedAt !== null || now - factor.begunAt > CONFIRM_WITHIN_MS) return false
    const { secret } = openFactor(needs, factor)
    const step = findStep(secret, code.trim(), now)
    if (step === null) return false
    const sealed = sealFactor(needs, userId, { secret, backupHashes: codes.map(hashBackupCode) })
    await updateSecondFactor(tx, { ...factor, sealed, lastStep: step, confirmedAt: now })
    await deleteBrowsers(tx, userId)
    return true
  })
  if (!isRight) throw wrongCode()
  return codes
}

/** Ten new codes for an account that asks for them already; the old ones end. */
export async function renewBackupCodes(
  needs: LoginNeeds,
  userId: UserId,
  proof: FactorProof,
): Promise<readonly string[]> {
  const codes = newBackupCodes(needs.random)
  await withProof(needs, userId, proof, async (tx, factor) => {
    const { secret } = openFactor(needs, factor)
    const sealed = sealFactor(needs, userId, { secret, backupHashes: codes.map(hashBackupCode) })
    await updateSecondFactor(tx, { ...factor, sealed })
  })
  return codes
}

export async function disableSecondFactor(needs: LoginNeeds, userId: UserId, proof: FactorProof): Promise<void> {
  await withProof(needs, userId, proof, (tx) => removeSecondFactor(tx, userId))
}

export interface FactorProof {
  readonly verifier: Secret<string>
  readonly code: string
}

/** Acts in the transaction that uses the code up, so that neither happens without the other. */
async function withProof(
  needs: LoginNeeds,
  userId: UserId,
  { verifier, code }: FactorProof,
  act: (tx: Tx, factor: SecondFactor) => Promise<void>,
): Promise<void> {
  await provePassword(needs, userId, verifier)
  const isRight = await needs.database.transaction(async (tx) => {
    if (!(await takeCode(needs, tx, userId, code))) return false
    const factor = await lockSecondFactor(tx, userId)
    if (factor !== null) await act(tx, factor)
    return true
  })
  if (!isRight) throw refuse('session.invalid')
}

export async function provePassword(needs: LoginNeeds, userId: UserId, verifier: Secret<string>): Promise<void> {
  if (!(await verifyCredential(needs, userId, verifier))) throw refuse('session.invalid')
}

function openFactor({ mail }: LoginNeeds, { userId, sealed }: SecondFactor): FactorContent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sealed by `sealFactor` and authenticated by the seal
  return JSON.parse(openUnder(mail.dataKey, sealed, factorContext(userId)).toString()) as FactorContent
}

function sealFactor({ mail }: LoginNeeds, userId: UserId, content: FactorContent) {
  return sealUnder(mail.dataKey, JSON.stringify(content), factorContext(userId))
}

export function factorContext(userId: UserId): string {
  return `login.second_factor:${userId}`
}
