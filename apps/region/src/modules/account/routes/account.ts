import {
  changeProfile as changeProfileRoute,
  languagePattern,
  readAccount,
  readAccountKey,
  readProfile,
  readProfileKeys,
  refuse,
  storeProfileKeys,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { AccountContext } from '../context.ts'
import { bundleOf, changeProfile, requireAccount, findKeyBundle, storeKeyBundle } from '../operations/profile.ts'
import { findAccountKeys } from '../store/accounts.ts'
import { bundleToWire, profileToWire } from '../wire.ts'

const LANGUAGE = new RegExp(languagePattern)
const LONGEST_LANGUAGE = 35

export function bindProfileRoutes(bind: BindRoute, account: AccountContext): void {
  bind({
    operation: readAccount,
    async handle({ caller }) {
      const { own, storage } = await account.database.read(async (read) => ({
        own: await requireAccount(read, caller.accountId),
        storage: await account.hooks.storage(read, caller.accountId),
      }))
      return {
        id: own.id,
        user_type: own.userType,
        email: own.email,
        level: own.level,
        display_name: own.displayName,
        share_code: own.shareCode,
        region: account.region,
        public_key: own.publicKey,
        storage: { stored_bytes: storage.storedBytes, quota_bytes: storage.quotaBytes },
      }
    },
  })
  bind({
    operation: readProfile,
    handle: async ({ caller }) =>
      profileToWire(await account.database.read((read) => requireAccount(read, caller.accountId))),
  })
  bind({
    operation: changeProfileRoute,
    async handle({ caller, body }) {
      if (caller.client !== null && body.language !== undefined) throw refuse('auth.client_endpoint_forbidden', {})
      const change = { displayName: body.display_name, language: readLanguage(body.language) }
      return profileToWire(await changeProfile(account, caller.accountId, change))
    },
  })
}

export function bindKeyRoutes(bind: BindRoute, account: AccountContext): void {
  bind({
    operation: readAccountKey,
    async handle({ caller }) {
      const keys = await account.database.read((read) => findAccountKeys(read, caller.accountId))
      return { ...bundleToWire(bundleOf(keys)), encrypted_recovery_key: keys?.encryptedRecoveryKey ?? null }
    },
  })
  bind({
    operation: readProfileKeys,
    handle: async ({ caller }) => bundleToWire(await findKeyBundle(account, caller.accountId)),
  })
  bind({
    operation: storeProfileKeys,
    async handle({ caller, body }) {
      const keys = { publicKey: body.public_key, encryptedPrivateKey: body.encrypted_private_key }
      await storeKeyBundle(account, caller.accountId, keys)
      return bundleToWire(keys)
    },
  })
}

function readLanguage(given: unknown): string | undefined {
  if (given === undefined) return undefined
  if (typeof given === 'string' && given.length <= LONGEST_LANGUAGE && LANGUAGE.test(given)) return given
  throw refuse('request.invalid', {
    details: [{ path: '/body/language', message: 'must be a language tag such as en' }],
  })
}
