import { formatInstant, Secret, type UserId } from '@sealpost/kernel'
import {
  listRecoveryCopies,
  openRecoveryCopy,
  type PageQueryText,
  readRecoveryKey,
  refuse,
  requestRecoveryCode,
  storeRecoveryCopy,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../bind.ts'
import { pageById, sliceById } from '../paging.ts'
import { demandAccount } from '../profile.ts'
import { recover, type RecoveryNeeds } from '../recovery.ts'
import { isSealed } from '../sealing.ts'
import { recordAudit } from '../store/audit.ts'
import { listRecoveryRows, putRecoveryCopy, type RecoveryCopy } from '../store/recovery.ts'
import { actingOf } from './acting.ts'

export function bindRecoveryRoutes(bind: BindRoute, needs: RecoveryNeeds): void {
  bind({
    operation: readRecoveryKey,
    async handle({ caller }) {
      const account = await needs.database.read((read) => demandAccount(read, caller.accountId))
      if (account.recoveryPublicKey === null) throw new Error(`company ${account.id} has no recovery key`)
      return { public_key: account.recoveryPublicKey }
    },
  })
  bind({ operation: listRecoveryCopies, handle: ({ caller, query }) => listPage(needs, caller.accountId, query) })
  bind({
    operation: storeRecoveryCopy,
    async handle({ caller, body, storeAnswer }) {
      if (!isSealed(body.sealed)) throw refuse('contact_data.encryption_required')
      const { companyId, actorId } = actingOf(caller)
      const at = needs.clock.now()
      const fresh = { companyId, id: needs.ids.uuid(), kind: body.kind, refId: body.ref_id, sealed: body.sealed, at }
      return needs.database.transaction(async (tx) => {
        const answer = showCopy(await putRecoveryCopy(tx, fresh))
        await recordAudit(tx, { companyId, actorId, action: 'recovery.store_copy', ref: answer.id, at })
        await storeAnswer(tx, answer)
        return answer
      })
    },
  })
}

export function bindRecoverRoutes(bind: BindRoute, needs: RecoveryNeeds): void {
  bind({
    operation: requestRecoveryCode,
    async handle({ caller }) {
      await needs.proof.sendCode(caller.accountId)
      return { status: 'mail_sent' as const }
    },
  })
  bind({
    operation: openRecoveryCopy,
    async handle({ caller, body }) {
      const request = { copyId: body.copy_id, verifier: new Secret(body.auth_verifier), code: body.code }
      const { sealed, encryptedRecoveryKey } = await recover(needs, actingOf(caller), request)
      return { sealed, encrypted_recovery_key: encryptedRecoveryKey }
    },
  })
}

async function listPage({ database }: RecoveryNeeds, companyId: UserId, query: PageQueryText) {
  const slice = sliceById(query)
  const more = { ...slice, limit: slice.limit + 1 }
  return pageById(await database.read((read) => listRecoveryRows(read, companyId, more)), slice, showCopy)
}

function showCopy({ id, kind, refId, createdAt }: RecoveryCopy) {
  return { id, kind, ref_id: refId, created_at: formatInstant(createdAt) }
}
