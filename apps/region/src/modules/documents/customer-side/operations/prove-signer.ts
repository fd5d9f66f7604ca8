import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type ApiError, refuse, type SigningMethod } from '@sealpost/protocol'
import type { Caller } from '../../../../platform/caller.ts'
import { findAccount } from '../../../account/index.ts'
import { verifyDeviceAssertion } from '../../../login/index.ts'
import { CODE_MINUTES, CODE_TRIES, codeEnd, hashCode, matchesCode, newCode, queueMail } from '../../../mail/index.ts'
import type { CustomerContext } from '../context.ts'
import type { CopyName, Proof } from '../model.ts'
import { addFailedProof, countCodeTry, countFailedProofs, lockSignCode, putSignCode } from '../store/proofs.ts'
import { type GivenProof, isProofKept, keepProof } from './keep-proof.ts'

/** Also for the company's own copies in the runs of its services. */
type Proving = Omit<CustomerContext, 'messages' | 'hooks'>

export const PROOF_WINDOW_MS = 3_600_000
/** Wrong proofs of an account within the window: a one-time code has a million values. */
const MOST_FAILED = 10

/** Throws unless the caller has proved to be the human who signs. See [Note: a proof is kept]. */
export async function proveSigner(context: Proving, caller: Caller, copy: CopyName, proof: Proof): Promise<void> {
  requireMethod(caller, proof.method)
  if (proof.method === 'custodian') return
  const { database, clock } = context
  const now = clock.now()
  const since = instant(now - PROOF_WINDOW_MS)
  const failed = await database.read((read) => countFailedProofs(read, caller.accountId, since))
  if (failed >= MOST_FAILED) throw refuse('rate.limited', undefined, { retryAfterSeconds: PROOF_WINDOW_MS / 1000 })
  const given = { caller, copy, proof }
  const problem = (await isProofKept(context, given)) ? null : await problemOf(context, given)
  if (problem === null) return
  await database.transaction((tx) => addFailedProof(tx, caller.accountId, since, now))
  throw problem
}

/** A user of a portal acts for the company; only the owner of the account has a second factor and devices here. */
function requireMethod({ kind }: Caller, method: SigningMethod): void {
  if (kind === 'person' && method === 'custodian') throw invalid('/body/method', 'is for users of a company')
  if (kind === 'delegate' && method !== 'custodian') throw invalid('/body/method', 'must be custodian for a delegate')
}

async function problemOf(context: Proving, given: GivenProof): Promise<ApiError | null> {
  const { copy, proof } = given
  const { userId } = given.caller
  const { method, content_sha256: challenge, assertion, code } = proof
  const keep = (tx: Tx, deviceId: string | null = null) => keepProof(context, tx, given, deviceId)
  if (method === 'biometric') {
    if (assertion === undefined) return invalid('/body/assertion', 'is required for this method')
    const device = await verifyDeviceAssertion(context.login, userId, { challenge, assertion }, keep)
    return device === null ? invalid('/body/assertion', 'was not made by a device of this account') : null
  }
  if (code === undefined) return invalid('/body/code', 'is required for this method')
  if (method === 'email') return (await isMailedCode(context, copy, code, keep)) ? null : wrongCode()
  const verdict = await context.login.checkSecondFactor(userId, code, keep)
  if (verdict === 'off') return invalid('/body/method', 'needs a second factor, which this account has not enabled')
  return verdict === 'passed' ? null : wrongCode()
}

function isMailedCode(
  { database, clock, settings }: Proving,
  copy: CopyName,
  code: string,
  keep: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const found = await lockSignCode(tx, copy)
    if (found === null || clock.now() >= found.expiresAt || found.tries >= CODE_TRIES) return false
    if (matchesCode(settings.SECRET_PEPPER, found, code.trim(), purposeOf(copy))) {
      await keep(tx)
      return true
    }
    await countCodeTry(tx, copy)
    return false
  })
}

/** Mails six digits that are valid for this document alone. */
export async function sendSignCode(context: Proving, copy: CopyName, name: string): Promise<void> {
  const { database, random, settings, clock } = context
  await database.transaction(async (tx) => {
    const account = await findAccount(tx, copy.accountId)
    if (account === null) throw refuse('auth.token_invalid')
    const code = newCode(random)
    const expiresAt = codeEnd(clock.now())
    const { accountId, id } = copy
    await putSignCode(tx, { accountId, id, expiresAt, ...hashCode(settings.SECRET_PEPPER, code, purposeOf(copy)) })
    const values = { code, minutes: CODE_MINUTES, document: name }
    await queueMail(context, tx, { to: account.email, template: 'sign_code', values, language: account.language })
  })
}

function purposeOf({ accountId, id }: CopyName): string {
  return `sign:${accountId}:${id}`
}

function wrongCode(): ApiError {
  return invalid('/body/code', 'is wrong or has expired; request a new one')
}

export function invalid(path: string, message: string): ApiError {
  return refuse('request.invalid', { details: [{ path, message }] })
}
