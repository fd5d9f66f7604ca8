import type { UserId } from '@sealpost/kernel'
import { batchKeys, readKey, readServiceKey } from '@sealpost/protocol'
import type { BindRoute } from '../../../../bind.ts'
import type { Caller } from '../../../../caller.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { findKey, findServiceKey, listCustomerKeys } from '../operations/keys.ts'
import { readUserIds, serviceOf } from './caller.ts'

export function bindKeyRoutes(bind: BindRoute, needs: ServiceSideNeeds): void {
  bind({
    operation: readKey,
    async handle({ params }) {
      const { publicKey, fingerprint, account, shareCode } = await findKey(needs, params.shareCode)
      return {
        public_key: publicKey,
        public_key_sha256: fingerprint,
        user_id: account.userId,
        share_code: shareCode,
        user_type: account.userType,
      }
    },
  })
  bind({
    operation: readServiceKey,
    async handle({ params }) {
      const found = await findServiceKey(needs, params.companyCode, params.serviceCode)
      return { public_key: found.publicKey, public_key_sha256: found.fingerprint, service_id: found.serviceId }
    },
  })
  bind({
    operation: batchKeys,
    handle: async ({ caller, body }) => ({
      keys: Object.fromEntries(await listConnectedKeys(needs, caller, readUserIds(body.user_ids))),
    }),
  })
}

/** A service has customers; everybody else is a customer of companies. */
function listConnectedKeys(
  needs: ServiceSideNeeds,
  caller: Caller,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  if (caller.kind === 'service_client') return listCustomerKeys(needs, serviceOf(caller).serviceId, users)
  return needs.database.read((read) => needs.listCompanyKeys(read, caller.accountId, users))
}
