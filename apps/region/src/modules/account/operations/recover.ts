import { parseUuid, type Secret } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { AccountContext } from '../context.ts'
import { recordAudit } from '../store/audit.ts'
import { findRecoverable, type Recoverable } from '../store/recovery.ts'
import type { Actor } from './delegates.ts'

export interface RecoveryRequest {
  readonly copyId: string
  readonly verifier: Secret<string>
  readonly code: string
}

/** Finds the copy before it checks the proof: a missing copy must not use up a code. */
export async function recover(
  account: AccountContext,
  { companyId, actorId }: Actor,
  { copyId, verifier, code }: RecoveryRequest,
): Promise<Recoverable> {
  const id = parseUuid<string>(copyId)
  const found = id === null ? null : await account.database.read((read) => findRecoverable(read, companyId, id))
  if (found === null) throw refuse('account.recovery_copy_not_found')
  await account.hooks.recoveryProof().check(companyId, { verifier, code })
  await account.database.transaction((tx) =>
    recordAudit(tx, { companyId, actorId, action: 'recovery.open_copy', ref: copyId, at: account.clock.now() }),
  )
  return found
}
