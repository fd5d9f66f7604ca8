import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type DelegateRole, refuse } from '@sealpost/protocol'
import type { AccountContext } from '../context.ts'
import type { DelegateId, DelegateRow, FoundAccount } from '../model.ts'
import { recordAudit } from '../store/audit.ts'
import {
  deleteDelegateRow,
  findDelegateRow,
  insertDelegate,
  lockDelegateRow,
  storeDelegateKey,
  updateDelegate,
} from '../store/delegates.ts'
import { delegateToWire } from '../wire.ts'
import { isSealed } from './sealing.ts'
import { tellDelegate, tellDelegationEnded } from './tell-delegations.ts'

/** The company whose portal it is, and the user or client that acts in it. */
export interface Actor {
  readonly companyId: UserId
  readonly actorId: string
}

export interface WantedDelegate {
  readonly shareCode: string
  readonly role: DelegateRole
  readonly services: readonly ServiceId[]
}

/** Share codes are matched without regard to case and surrounding space. */
export async function addDelegate(
  account: AccountContext,
  { companyId, actorId }: Actor,
  wanted: WantedDelegate,
): Promise<DelegateRow> {
  const shareCode = wanted.shareCode.trim().toUpperCase()
  const user = await account.directory.findByShareCode(shareCode)
  if (user === null) throw refuse('delegates.user_not_found')
  if (user.userId === companyId) throw refuse('delegates.exists')
  const ownsAll = await account.database.read((read) => account.hooks.ownsServices(read, companyId, wanted.services))
  if (!ownsAll) throw refuse('services.not_found')
  return account.database.transaction(async (tx) => {
    const delegate = await insertFresh(account, tx, companyId, { ...wanted, shareCode }, user)
    await tellDelegate(account, tx, companyId, delegate)
    await recordAudit(tx, { companyId, actorId, action: 'delegates.create', ref: delegate.id, at: account.clock.now() })
    await tx.storeAnswer(delegateToWire(delegate))
    return delegate
  })
}

async function insertFresh(
  { ids, clock }: AccountContext,
  tx: Tx,
  companyId: UserId,
  { shareCode, role, services }: WantedDelegate,
  { userId, region: userRegion, publicKey }: FoundAccount,
): Promise<DelegateRow> {
  const id = ids.uuid<DelegateId>()
  const row = { companyId, id, userId, userRegion, shareCode, publicKey, role, services, createdAt: clock.now() }
  const delegate = (await insertDelegate(tx, row)) ? await findDelegateRow(tx, companyId, id) : null
  if (delegate === null) throw refuse('delegates.exists')
  return delegate
}

/** The gates read the row at every call of a delegate, so the next call is judged by it. */
export async function changeDelegate(
  account: AccountContext,
  { companyId, actorId }: Actor,
  id: DelegateId,
  change: Pick<WantedDelegate, 'role' | 'services'>,
): Promise<DelegateRow> {
  return account.database.transaction(async (tx) => {
    if ((await lockDelegateRow(tx, companyId, id)) === null) throw refuse('delegates.not_found')
    if (!(await account.hooks.ownsServices(tx, companyId, change.services))) throw refuse('services.not_found')
    await updateDelegate(tx, companyId, id, change)
    const delegate = await findDelegateRow(tx, companyId, id)
    if (delegate === null) throw refuse('delegates.not_found')
    await tellDelegate(account, tx, companyId, delegate)
    await recordAudit(tx, { companyId, actorId, action: 'delegates.change', ref: id, at: account.clock.now() })
    return delegate
  })
}

/** The gates read the row at every call of a delegate, so nothing has to be revoked. */
export async function removeDelegate(
  account: AccountContext,
  { companyId, actorId }: Actor,
  id: DelegateId,
): Promise<void> {
  await account.database.transaction(async (tx) => {
    const delegate = await lockDelegateRow(tx, companyId, id)
    if (delegate === null) throw refuse('delegates.not_found')
    await deleteDelegateRow(tx, companyId, id)
    await tellDelegationEnded(account, tx, companyId, delegate)
    await recordAudit(tx, { companyId, actorId, action: 'delegates.delete', ref: id, at: account.clock.now() })
  })
}

export async function handOverKey(
  account: AccountContext,
  { companyId, actorId }: Actor,
  { id, serviceId, sealed }: { readonly id: DelegateId; readonly serviceId: ServiceId; readonly sealed: string },
): Promise<DelegateRow> {
  if (!isSealed(sealed)) throw refuse('contact_data.encryption_required')
  return account.database.transaction(async (tx) => {
    if (!(await storeDelegateKey(tx, companyId, id, serviceId, sealed))) throw refuse('services.not_found')
    await recordAudit(tx, {
      companyId,
      actorId,
      action: 'delegates.hand_over_key',
      ref: id,
      serviceId,
      at: account.clock.now(),
    })
    const delegate = await findDelegateRow(tx, companyId, id)
    if (delegate === null) throw refuse('delegates.not_found')
    return delegate
  })
}
