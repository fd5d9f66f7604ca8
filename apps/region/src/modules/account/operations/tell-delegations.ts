import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { AccountContext } from '../context.ts'
import type { DelegateRow } from '../model.ts'
import { findAccount } from '../store/accounts.ts'
import { deleteDelegatedService, findDelegateRow, lockDelegateRows, takeUntold } from '../store/delegates.ts'
import { listCompanies } from '../store/memberships.ts'

type Teller = Pick<AccountContext, 'directory'>

/** What the delegate may do now, to the home of the user, in the transaction of the change. */
export async function tellDelegate(
  { directory }: Teller,
  tx: Tx,
  companyId: UserId,
  { userId, userRegion, role, services }: DelegateRow,
): Promise<void> {
  const company = await findAccount(tx, companyId)
  if (company === null) return
  const { displayName: companyName } = company
  await directory.tellDelegation(tx, { companyId, companyName, userId, userRegion, role, services })
}

export async function tellDelegationEnded(
  { directory }: Teller,
  tx: Tx,
  companyId: UserId,
  { userId, userRegion }: DelegateRow,
): Promise<void> {
  await directory.tellDelegation(tx, { companyId, companyName: '', userId, userRegion, role: null, services: [] })
}

/** After the company was renamed. */
export async function tellDelegates(teller: Teller, tx: Tx, companyId: UserId): Promise<void> {
  for (const delegate of await lockDelegateRows(tx, companyId)) await tellDelegate(teller, tx, companyId, delegate)
}

/** After the user was renamed: the companies for which the user acts. */
export async function tellCompanies(
  { directory }: Teller,
  tx: Tx,
  { userId, displayName }: { readonly userId: UserId; readonly displayName: string },
): Promise<void> {
  for (const company of await listCompanies(tx, userId)) {
    await directory.tellName(tx, { ...company, userId, displayName })
  }
}

/** Before the company is erased: its delegates and what their homes know go with it. */
export async function tellDelegationsEnded(teller: Teller, tx: Tx, companyId: UserId): Promise<void> {
  for (const delegate of await lockDelegateRows(tx, companyId))
    await tellDelegationEnded(teller, tx, companyId, delegate)
}

/**
 * Part of the deletion of a service. Waits for changes of delegates: a later one does not find the service, so that none
 * keeps access to it.
 */
export async function endDelegatedService(
  teller: Teller,
  tx: Tx,
  { companyId, serviceId }: { readonly companyId: UserId; readonly serviceId: ServiceId },
): Promise<void> {
  await lockDelegateRows(tx, companyId)
  for (const id of await deleteDelegatedService(tx, companyId, serviceId)) {
    const delegate = await findDelegateRow(tx, companyId, id)
    if (delegate !== null) await tellDelegate(teller, tx, companyId, delegate)
  }
}

const UNTOLD_AT_ONCE = 100

/** Tells of delegates that a release without this tell has added. */
export async function tellUntold(account: Pick<AccountContext, 'database' | 'directory'>): Promise<void> {
  await account.database.transaction(async (tx) => {
    for (const { companyId, id } of await takeUntold(tx, UNTOLD_AT_ONCE)) {
      const delegate = await findDelegateRow(tx, companyId, id)
      if (delegate !== null) await tellDelegate(account, tx, companyId, delegate)
    }
  })
}
