import type { Clock, Ids } from '@sealpost/kernel'
import type { AccountHooks } from './modules/account/index.ts'
import { endClientsOfAccount } from './modules/clients/index.ts'
import { type Connections, forgetCustomer, tellRenamed } from './modules/connections/index.ts'
import { dropFeed } from './modules/feed/index.ts'
import { type EndingNeeds, endGrantsOfUser } from './modules/grants/index.ts'
import { forgetLogin } from './modules/login/index.ts'
import type { MailNeeds } from './modules/mail/index.ts'
import { forgetContactFields } from './modules/registry/index.ts'
import { companyRenamed, endServicesOfAccount, type ServicesNeeds } from './modules/services/index.ts'
import { forgetPhotos, forgetValues, type VaultNeeds } from './modules/vault/index.ts'
import { applyLevel } from './modules/webhooks/index.ts'

export interface AccountHookNeeds {
  readonly clock: Clock
  readonly ids: Ids
  readonly mail: MailNeeds
  readonly grants: EndingNeeds
  readonly vault: VaultNeeds
  readonly connections: Connections
  readonly services: ServicesNeeds
}

/** What the modules above do when an account changes: each adds itself here. */
export function accountHooks(needs: AccountHookNeeds): AccountHooks {
  const { clock, ids, mail, grants, vault, connections, services } = needs
  return {
    onLevelChanged: [(tx, companyId, level) => applyLevel(tx, { clock, ids }, companyId, level)],
    onProfileChanged: [
      (tx, renamed) => companyRenamed(services, tx, renamed.id),
      (tx, renamed) => tellRenamed(connections.customer, tx, renamed),
    ],
    onAccountDeleted: [
      (tx, erased) => forgetLogin({ clock, mail }, tx, erased),
      (tx, erased) => endClientsOfAccount(tx, { clock, ids }, erased.id),
      (tx, erased) => endServicesOfAccount(services, tx, erased.id),
      (tx, erased) => endGrantsOfUser(grants, tx, erased.id),
      (tx, erased) => forgetCustomer(connections.customer, tx, erased),
      (tx, erased) => forgetValues(vault, tx, erased),
      (tx, { id }) => forgetPhotos(tx, { accountId: id, at: clock.now() }),
      (tx, { id }) => forgetContactFields(tx, id),
      (tx, erased) => dropFeed(tx, { clock }, { kind: 'account', accountId: erased.id }),
    ],
  }
}
