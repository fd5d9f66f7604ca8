import { parseUuid, type Secret, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { Acting } from './delegates.ts'
import type { AccountNeeds } from './operations.ts'
import { recordAudit } from './store/audit.ts'
import { findRecoverable, type Recoverable } from './store/recovery.ts'

/** How the owner proves to be there in person; `login` answers it, from above. */
export interface RecoveryProof {
  /** Mails a code; a newer one ends the older. */
  sendCode(userId: UserId): Promise<void>
  /** Throws the refusal unless both are right. The code stays good for its time: a lost answer can be asked for again. */
  check(userId: UserId, proof: { readonly verifier: Secret<string>; readonly code: string }): Promise<void>
}

export interface RecoveryNeeds extends AccountNeeds {
  readonly proof: RecoveryProof
}

export interface RecoveryRequest {
  readonly copyId: string
  readonly verifier: Secret<string>
  readonly code: string
}

/** Looks before it asks for the proof: a code must not be used up for a copy that does not exist. */
export async function recover(
  needs: RecoveryNeeds,
  { companyId, actorId }: Acting,
  { copyId, verifier, code }: RecoveryRequest,
): Promise<Recoverable> {
  const id = parseUuid<string>(copyId)
  const found = id === null ? null : await needs.database.read((read) => findRecoverable(read, companyId, id))
  if (found === null) throw refuse('account.recovery_copy_not_found')
  await needs.proof.check(companyId, { verifier, code })
  await needs.database.transaction((tx) =>
    recordAudit(tx, { companyId, actorId, action: 'recovery.open_copy', ref: copyId, at: needs.clock.now() }),
  )
  return found
}
