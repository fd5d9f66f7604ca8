import type { UserId } from '@sealpost/kernel'
import { batchKeys, readKey, readServiceKey } from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { Caller } from '../../../../platform/caller.ts'
import type { ServiceSideContext } from '../context.ts'
import { findKey, findServiceKey, listAccountKeys, listServiceKeys } from '../operations/keys.ts'
import { readUserIds, serviceOf } from './caller.ts'

export function bindKeyRoutes(bind: BindRoute, context: ServiceSideContext): void {
  bind({
    operation: readKey,
    async handle({ params }) {
      const { publicKey, fingerprint, account, shareCode } = await findKey(context, params.shareCode)
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
      const found = await findServiceKey(context, params.companyCode, params.serviceCode)
      return { public_key: found.publicKey, public_key_sha256: found.fingerprint, service_id: found.serviceId }
    },
  })
  bind({
    operation: batchKeys,
    handle: async ({ caller, body }) => ({
      keys: Object.fromEntries(await listConnectedKeys(context, caller, readUserIds(body.user_ids))),
    }),
  })
}

/** For a service the keys of its customers, for any other caller the account keys of companies it is a customer of. */
function listConnectedKeys(
  context: ServiceSideContext,
  caller: Caller,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  return caller.kind === 'service_client'
    ? listServiceKeys(context, serviceOf(caller), users)
    : listAccountKeys(context, caller.accountId, users)
}
