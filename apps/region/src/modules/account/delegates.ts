import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type DelegateRole, refuse } from '@sealpost/protocol'
import type { FoundAccount } from './directory.ts'
import type { AccountNeeds } from './operations.ts'
import { isSealed } from './sealing.ts'
import { recordAudit } from './store/audit.ts'
import {
  deleteDelegateRow,
  type DelegateId,
  type DelegateRow,
  findDelegateRow,
  insertDelegate,
  storeDelegateKey,
} from './store/delegates.ts'

export interface DelegateNeeds extends AccountNeeds {
  /** Whether all of these are services of the company; `services` answers it, from above. */
  ownsServices(companyId: UserId, services: readonly ServiceId[]): Promise<boolean>
}

/** Whose portal, and who acts there. */
export interface Acting {
  readonly companyId: UserId
  readonly actorId: string
}

export interface WantedDelegate {
  readonly shareCode: string
  readonly role: DelegateRole
  readonly services: readonly ServiceId[]
}

/** Codes are found however they are typed. */
export async function addDelegate(
  needs: DelegateNeeds,
  { companyId, actorId }: Acting,
  wanted: WantedDelegate,
  storeAnswer: (tx: Tx, delegate: DelegateRow) => Promise<void>,
): Promise<DelegateRow> {
  const shareCode = wanted.shareCode.trim().toUpperCase()
  const user = await needs.directory.findByShareCode(shareCode)
  if (user === null) throw refuse('delegates.user_not_found')
  if (user.userId === companyId) throw refuse('delegates.exists')
  if (!(await needs.ownsServices(companyId, wanted.services))) throw refuse('services.not_found')
  return needs.database.transaction(async (tx) => {
    const delegate = await insertFresh(needs, tx, companyId, { ...wanted, shareCode }, user)
    await recordAudit(tx, { companyId, actorId, action: 'delegates.create', ref: delegate.id, at: needs.clock.now() })
    await storeAnswer(tx, delegate)
    return delegate
  })
}

async function insertFresh(
  { ids, clock }: DelegateNeeds,
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

/** The gates ask for the row with every call of a delegate, so nothing has to be revoked. */
export async function removeDelegate(
  needs: AccountNeeds,
  { companyId, actorId }: Acting,
  id: DelegateId,
): Promise<void> {
  await needs.database.transaction(async (tx) => {
    if (!(await deleteDelegateRow(tx, companyId, id))) throw refuse('delegates.not_found')
    await recordAudit(tx, { companyId, actorId, action: 'delegates.delete', ref: id, at: needs.clock.now() })
  })
}

export async function handOverKey(
  needs: AccountNeeds,
  { companyId, actorId }: Acting,
  { id, serviceId, sealed }: { readonly id: DelegateId; readonly serviceId: ServiceId; readonly sealed: string },
): Promise<DelegateRow> {
  if (!isSealed(sealed)) throw refuse('contact_data.encryption_required')
  return needs.database.transaction(async (tx) => {
    if (!(await storeDelegateKey(tx, companyId, id, serviceId, sealed))) throw refuse('services.not_found')
    await recordAudit(tx, { companyId, actorId, action: 'delegates.hand_over_key', ref: id, at: needs.clock.now() })
    const delegate = await findDelegateRow(tx, companyId, id)
    if (delegate === null) throw refuse('delegates.not_found')
    return delegate
  })
}
