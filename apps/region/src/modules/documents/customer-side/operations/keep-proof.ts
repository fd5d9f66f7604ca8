import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Caller } from '../../../../platform/caller.ts'
import { findTrustedDevice } from '../../../login/index.ts'
import { hashCode, matchesCode } from '../../../mail/index.ts'
import type { CustomerContext } from '../context.ts'
import type { CopyName, Proof } from '../model.ts'
import { findKeptProof, putKeptProof } from '../store/proofs.ts'

/** As long as a call with an Idempotency-Key may be repeated. */
export const PROOF_KEPT_MS = 24 * 3_600_000

type Keeping = Pick<CustomerContext, 'database' | 'clock' | 'settings' | 'login'>

export interface GivenProof {
  readonly caller: Caller
  readonly copy: CopyName
  readonly proof: Proof
}

/**
 * [Note: a proof is kept] A code and the assertion of a device with a counter pass once, but the act that they are for may
 * fail after them: no seal, no answer of the other region. So a proof that has passed is kept, as a keyed hash, until the
 * signature is recorded. It is good for the same content of the same document alone: an assertion while its device is
 * trusted, a code in the session that gave it.
 */
export async function keepProof(
  { clock, settings }: Pick<Keeping, 'clock' | 'settings'>,
  tx: Tx,
  given: GivenProof,
  deviceId: string | null,
): Promise<void> {
  const { accountId, id } = given.copy
  const hash = hashCode(settings.SECRET_PEPPER, textOf(given.proof), purposeOf(given))
  await putKeptProof(tx, { accountId, id, ...hash, deviceId, givenAt: clock.now() })
}

export async function isProofKept(context: Keeping, given: GivenProof): Promise<boolean> {
  const { database, clock, settings, login } = context
  const kept = await database.read((read) => findKeptProof(read, given.copy))
  if (kept === null || clock.now() >= instant(kept.givenAt + PROOF_KEPT_MS)) return false
  if (!matchesCode(settings.SECRET_PEPPER, kept, textOf(given.proof), purposeOf(given))) return false
  return kept.deviceId === null || (await findTrustedDevice(login, given.caller.userId, kept.deviceId)) !== null
}

function textOf({ assertion, code }: Proof): string {
  return JSON.stringify(assertion ?? code?.trim() ?? null)
}

function purposeOf({
  caller,
  copy: { accountId, id },
  proof: { method, content_sha256: content },
}: GivenProof): string {
  const session = method === 'biometric' ? '' : caller.claims.sessionId
  return `proof:${accountId}:${id}:${caller.userId}:${method}:${content}:${session}`
}
