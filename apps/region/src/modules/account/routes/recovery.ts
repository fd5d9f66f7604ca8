import { Secret } from '@sealpost/kernel'
import {
  listRecoveryCopies,
  openRecoveryCopy,
  readRecoveryKey,
  refuse,
  requestRecoveryCode,
  storeRecoveryCopy,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { listPage } from '../../../platform/page.ts'
import type { AccountContext } from '../context.ts'
import type { RecoveryCopy } from '../model.ts'
import { requireAccount } from '../operations/profile.ts'
import { recover } from '../operations/recover.ts'
import { isSealed } from '../operations/sealing.ts'
import { recordAudit } from '../store/audit.ts'
import { listRecoveryRows, putRecoveryCopy } from '../store/recovery.ts'
import { recoveryCopyToWire } from '../wire.ts'
import { actorOf } from './actor.ts'

const copies = { name: 'recovery-copies', idOf: ({ id }: RecoveryCopy) => id, toWire: recoveryCopyToWire }

export function bindRecoveryRoutes(bind: BindRoute, account: AccountContext): void {
  bind({
    operation: readRecoveryKey,
    async handle({ caller }) {
      const company = await account.database.read((read) => requireAccount(read, caller.accountId))
      if (company.recoveryPublicKey === null) throw new Error(`company ${company.id} has no recovery key`)
      return { public_key: company.recoveryPublicKey }
    },
  })
  bind({
    operation: listRecoveryCopies,
    handle: ({ caller, query }) =>
      listPage(copies, query, (slice) =>
        account.database.read((read) => listRecoveryRows(read, caller.accountId, slice)),
      ),
  })
  bind({
    operation: storeRecoveryCopy,
    async handle({ caller, body }) {
      if (!isSealed(body.sealed)) throw refuse('contact_data.encryption_required')
      const { companyId, actorId } = actorOf(caller)
      const at = account.clock.now()
      const fresh = { companyId, id: account.ids.uuid(), kind: body.kind, refId: body.ref_id, sealed: body.sealed, at }
      return account.database.transaction(async (tx) => {
        const answer = recoveryCopyToWire(await putRecoveryCopy(tx, fresh))
        await recordAudit(tx, { companyId, actorId, action: 'recovery.store_copy', ref: answer.id, at })
        await tx.storeAnswer(answer)
        return answer
      })
    },
  })
}

export function bindRecoverRoutes(bind: BindRoute, account: AccountContext): void {
  bind({
    operation: requestRecoveryCode,
    async handle({ caller }) {
      await account.hooks.recoveryProof().sendCode(caller.accountId)
      return { status: 'mail_sent' as const }
    },
  })
  bind({
    operation: openRecoveryCopy,
    async handle({ caller, body }) {
      const request = { copyId: body.copy_id, verifier: new Secret(body.auth_verifier), code: body.code }
      const { sealed, encryptedRecoveryKey } = await recover(account, actorOf(caller), request)
      return { sealed, encrypted_recovery_key: encryptedRecoveryKey }
    },
  })
}
