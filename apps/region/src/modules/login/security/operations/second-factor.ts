import { parseParty } from '@sealpost/bus'
import type { Instant, Secret, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { hasSecondFactorAsk, refuse } from '@sealpost/protocol'
import { openUnder, sealUnder } from '@sealpost/sealing'
import { findAccount, findDelegateRegion } from '../../../account/index.ts'
import type { LoginContext, OnPassed, SecondFactorVerdict } from '../../context.ts'
import { verifyCredential } from '../../operations/credentials.ts'
import { lockCredential } from '../../store/credentials.ts'
import { wrongCode, wrongMember } from '../rules/refusals.ts'
import { deleteBrowsers } from '../store/devices.ts'
import {
  beginSecondFactor,
  findSecondFactor,
  lockSecondFactor,
  removeSecondFactor,
  type SecondFactor,
  updateSecondFactor,
} from '../store/second-factor.ts'
import { hashBackupCode, newBackupCodes, withoutCode } from './backup-codes.ts'
import { findStep, newTotpSecret, totpUrl } from './totp.ts'

/** The sealed content: the authenticator's secret, and the hashes of the unused backup codes. */
interface FactorContent {
  readonly secret: string
  readonly backupHashes: readonly string[]
}

const CONFIRM_WITHIN_MS = 30 * 60_000

/** Checks the one-time code of a login whose verifier was right, or of a signer. A code passes once. */
export async function checkSecondFactor(
  context: LoginContext,
  userId: UserId,
  otp: string | null,
  onPassed?: OnPassed,
): Promise<SecondFactorVerdict> {
  const found = await context.database.read((read) => findSecondFactor(read, userId))
  if (found === null || found.confirmedAt === null) return 'off'
  if (otp === null) return 'missing'
  const isRight = await context.database.transaction(async (tx) => {
    if (!(await takeCode(context, tx, userId, otp))) return false
    await onPassed?.(tx)
    return true
  })
  return isRight ? 'passed' : 'wrong'
}

/** Whether this user's logins need a code. */
export async function hasSecondFactor(read: Read, userId: UserId): Promise<boolean> {
  return ((await findSecondFactor(read, userId))?.confirmedAt ?? null) !== null
}

/** Asks the user's home region: this one for the company itself, possibly another for a delegate. */
export async function askSecondFactor(
  { region, database, bus }: Pick<LoginContext, 'region' | 'database' | 'bus'>,
  companyId: UserId,
  userId: UserId,
): Promise<boolean> {
  const home =
    userId === companyId ? region : await database.read((read) => findDelegateRegion(read, companyId, userId))
  if (home === null) return false
  if (home === region) return database.read((read) => hasSecondFactor(read, userId))
  const answer = await bus.ask(hasSecondFactorAsk, { to: parseParty(home), body: { user_id: userId } })
  return answer.is_enabled
}

async function takeCode(context: LoginContext, tx: Tx, userId: UserId, otp: string): Promise<boolean> {
  const factor = await lockSecondFactor(tx, userId)
  if (factor === null || factor.confirmedAt === null) return false
  const content = openFactor(context, factor)
  const step = findStep(content.secret, otp.trim(), context.clock.now())
  if (step !== null) {
    if (step <= factor.lastStep) return false
    await updateSecondFactor(tx, { ...factor, lastStep: step })
    return true
  }
  const backupHashes = withoutCode(content.backupHashes, otp)
  if (backupHashes === null) return false
  await updateSecondFactor(tx, { ...factor, sealed: sealFactor(context, userId, { ...content, backupHashes }) })
  return true
}

export interface FactorState {
  readonly enabledAt: Instant | null
  readonly backupCodesLeft: number
}

export async function readSecondFactor(context: LoginContext, userId: UserId): Promise<FactorState> {
  const factor = await context.database.read((read) => findSecondFactor(read, userId))
  if (factor === null || factor.confirmedAt === null) return { enabledAt: null, backupCodesLeft: 0 }
  return { enabledAt: factor.confirmedAt, backupCodesLeft: openFactor(context, factor).backupHashes.length }
}

/** The first step: a secret for the authenticator. Logins need no code until one of its codes confirms it. */
export async function beginEnabling(
  context: LoginContext,
  userId: UserId,
  verifier: Secret<string>,
): Promise<{ readonly secret: string; readonly url: string }> {
  await provePassword(context, userId, verifier)
  const secret = newTotpSecret(context.random)
  const email = await context.database.transaction(async (tx) => {
    const sealed = sealFactor(context, userId, { secret, backupHashes: [] })
    const isBegun = await beginSecondFactor(tx, userId, sealed, context.clock.now())
    if (!isBegun) throw wrongMember('', 'the second factor is enabled already; disable it first')
    return (await findAccount(tx, userId))?.email ?? ''
  })
  return { secret, url: totpUrl(secret, email) }
}

/** The second step: from now on logins need a code. Browsers that were trusted without one lose their trust. */
export async function confirmEnabling(context: LoginContext, userId: UserId, code: string): Promise<readonly string[]> {
  const codes = newBackupCodes(context.random)
  const isRight = await context.database.transaction(async (tx) => {
    // A concurrent login without a code locks this row, too: it has trusted its browser before the deletion below, or
    // checks again.
    await lockCredential(tx, userId)
    const factor = await lockSecondFactor(tx, userId)
    const now = context.clock.now()
    if (factor === null || factor.confirmedAt !== null || now - factor.begunAt > CONFIRM_WITHIN_MS) return false
    const { secret } = openFactor(context, factor)
    const step = findStep(secret, code.trim(), now)
    if (step === null) return false
    const sealed = sealFactor(context, userId, { secret, backupHashes: codes.map(hashBackupCode) })
    await updateSecondFactor(tx, { ...factor, sealed, lastStep: step, confirmedAt: now })
    await deleteBrowsers(tx, userId)
    return true
  })
  if (!isRight) throw wrongCode()
  return codes
}

/** Ten new backup codes, which replace the old ones. */
export async function renewBackupCodes(
  context: LoginContext,
  userId: UserId,
  proof: FactorProof,
): Promise<readonly string[]> {
  const codes = newBackupCodes(context.random)
  await withProof(context, userId, proof, async (tx, factor) => {
    const { secret } = openFactor(context, factor)
    const sealed = sealFactor(context, userId, { secret, backupHashes: codes.map(hashBackupCode) })
    await updateSecondFactor(tx, { ...factor, sealed })
  })
  return codes
}

export async function disableSecondFactor(context: LoginContext, userId: UserId, proof: FactorProof): Promise<void> {
  await withProof(context, userId, proof, (tx) => removeSecondFactor(tx, userId))
}

export interface FactorProof {
  readonly verifier: Secret<string>
  readonly code: string
}

/** Runs `change` in the transaction that uses up the code, so that neither happens without the other. */
async function withProof(
  context: LoginContext,
  userId: UserId,
  { verifier, code }: FactorProof,
  change: (tx: Tx, factor: SecondFactor) => Promise<void>,
): Promise<void> {
  await provePassword(context, userId, verifier)
  const isRight = await context.database.transaction(async (tx) => {
    if (!(await takeCode(context, tx, userId, code))) return false
    const factor = await lockSecondFactor(tx, userId)
    if (factor !== null) await change(tx, factor)
    return true
  })
  if (!isRight) throw refuse('session.invalid')
}

export async function provePassword(context: LoginContext, userId: UserId, verifier: Secret<string>): Promise<void> {
  if (!(await verifyCredential(context, userId, verifier))) throw refuse('session.invalid')
}

function openFactor({ settings }: LoginContext, { userId, sealed }: SecondFactor): FactorContent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sealed by `sealFactor` and authenticated by the seal
  return JSON.parse(openUnder(settings.DATA_KEY, sealed, factorContext(userId)).toString()) as FactorContent
}

function sealFactor({ settings }: LoginContext, userId: UserId, content: FactorContent) {
  return sealUnder(settings.DATA_KEY, JSON.stringify(content), factorContext(userId))
}

export function factorContext(userId: UserId): string {
  return `login.second_factor:${userId}`
}
