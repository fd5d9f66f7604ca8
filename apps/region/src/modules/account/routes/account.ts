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
import type { BindRoute } from '../../../bind.ts'
import type { Account, KeyBundle } from '../account.ts'
import type { AccountNeeds } from '../operations.ts'
import { bundleOf, changeProfile, demandAccount, findKeyBundle, storeKeyBundle } from '../profile.ts'
import { findAccountKeys } from '../store/accounts.ts'

const LANGUAGE = new RegExp(languagePattern)
const LONGEST_LANGUAGE = 35

export function bindProfileRoutes(bind: BindRoute, needs: AccountNeeds): void {
  bind({
    operation: readAccount,
    async handle({ caller }) {
      const account = await needs.database.read((read) => demandAccount(read, caller.accountId))
      return {
        id: account.id,
        user_type: account.userType,
        email: account.email,
        level: account.level,
        display_name: account.displayName,
        share_code: account.shareCode,
        region: needs.region,
        public_key: account.publicKey,
      }
    },
  })
  bind({
    operation: readProfile,
    handle: async ({ caller }) =>
      showProfile(await needs.database.read((read) => demandAccount(read, caller.accountId))),
  })
  bind({
    operation: changeProfileRoute,
    async handle({ caller, body }) {
      if (caller.client !== null && body.language !== undefined) throw refuse('auth.client_endpoint_forbidden')
      const change = { displayName: body.display_name, language: readLanguage(body.language) }
      return showProfile(await changeProfile(needs, caller.accountId, change))
    },
  })
}

export function bindKeyRoutes(bind: BindRoute, needs: AccountNeeds): void {
  bind({
    operation: readAccountKey,
    async handle({ caller }) {
      const keys = await needs.database.read((read) => findAccountKeys(read, caller.accountId))
      return { ...showBundle(bundleOf(keys)), encrypted_recovery_key: keys?.encryptedRecoveryKey ?? null }
    },
  })
  bind({
    operation: readProfileKeys,
    handle: async ({ caller }) => showBundle(await findKeyBundle(needs, caller.accountId)),
  })
  bind({
    operation: storeProfileKeys,
    async handle({ caller, body }) {
      const keys = { publicKey: body.public_key, encryptedPrivateKey: body.encrypted_private_key }
      await storeKeyBundle(needs, caller.accountId, keys)
      return showBundle(keys)
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

function showProfile({ displayName, language }: Pick<Account, 'displayName' | 'language'>) {
  return { display_name: displayName, language }
}

function showBundle(keys: KeyBundle | null) {
  if (keys === null) throw refuse('keys.not_found')
  return { public_key: keys.publicKey, encrypted_private_key: keys.encryptedPrivateKey }
}
