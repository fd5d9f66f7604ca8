import type { FieldId, ServiceId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type CardEntry, refuse } from '@sealpost/protocol'
import { findVaultValue } from '../../vault/index.ts'
import type { ServicesContext } from '../context.ts'
import type { Card, ServiceName } from '../model.ts'
import {
  deleteSharePhoto,
  listServicesWithField,
  listServicesWithPhoto,
  listShareFields,
  listSharePhotos,
} from '../store/card.ts'
import { lockService, lockServicesOf, raiseRev } from '../store/services.ts'

/** The card with its current values; empty fields are left out. */
export async function readCard(read: Read, companyId: UserId, serviceId: ServiceId): Promise<Card> {
  const service = { companyId, serviceId }
  const card: CardEntry[] = []
  for (const fieldId of await listShareFields(read, service)) {
    const value = await findVaultValue(read, companyId, fieldId)
    if (value?.content.kind !== 'plain') continue
    const { slug, label, type, content } = value
    card.push({ slug, label, type, value: content.text })
  }
  return { card, photoIds: await listSharePhotos(read, service) }
}

/** A card travels with the other facts of a service in one message of the bus. */
const LARGEST_CARD_BYTES = 65_536

/** Runs after a change, while the service is locked. `path`: the member of the call that made the card larger. */
export async function requireCardSize(tx: Tx, { companyId, serviceId }: ServiceName, path: string): Promise<void> {
  const { card } = await readCard(tx, companyId, serviceId)
  if (Buffer.byteLength(JSON.stringify(card)) <= LARGEST_CARD_BYTES) return
  const message = `makes a business card larger than ${LARGEST_CARD_BYTES} bytes: show fewer fields or shorter texts`
  throw refuse('request.invalid', { details: [{ path, message }] })
}

/** Hook of the vault: a company's text changed or is gone, or its field was renamed. */
export async function cardValueChanged(
  services: Pick<ServicesContext, 'hooks' | 'clock'>,
  tx: Tx,
  { accountId, fieldId }: { readonly accountId: UserId; readonly fieldId: FieldId },
): Promise<void> {
  // Locks all services: a concurrent transaction may put the field on a card without having seen the change.
  if ((await lockServicesOf(tx, accountId)).length === 0) return
  await announceAll(services, tx, accountId, await listServicesWithField(tx, accountId, fieldId))
}

/** Hook of the vault: a photo of the company is gone. */
export async function cardPhotoGone(
  services: Pick<ServicesContext, 'hooks' | 'clock'>,
  tx: Tx,
  { accountId, photoId }: { readonly accountId: UserId; readonly photoId: string },
): Promise<void> {
  const shown = (await listServicesWithPhoto(tx, accountId, photoId)).toSorted()
  // Lock order as in `removeSharePhoto`: the service before the rows of its card.
  for (const serviceId of shown) {
    await lockService(tx, accountId, serviceId)
    await deleteSharePhoto(tx, { companyId: accountId, serviceId }, photoId)
  }
  await announceAll(services, tx, accountId, shown)
}

/** Hook of the account: every card shows the name of the company. */
export async function companyRenamed(
  services: Pick<ServicesContext, 'hooks' | 'clock'>,
  tx: Tx,
  companyId: UserId,
): Promise<void> {
  for (const { id: serviceId } of await lockServicesOf(tx, companyId))
    await announceFacts(services, tx, { companyId, serviceId })
}

/** In the order of their ids, the lock order of every transaction that locks several services. */
async function announceAll(
  services: Pick<ServicesContext, 'hooks' | 'clock'>,
  tx: Tx,
  companyId: UserId,
  serviceIds: readonly ServiceId[],
): Promise<void> {
  for (const serviceId of serviceIds.toSorted()) {
    if ((await lockService(tx, companyId, serviceId)) === null) continue
    await requireCardSize(tx, { companyId, serviceId }, '/body')
    await announceFacts(services, tx, { companyId, serviceId })
  }
}

/** Raises `rev` and calls `onFactsChanged`; the service is locked. */
export async function announceFacts(
  { hooks, clock }: Pick<ServicesContext, 'hooks' | 'clock'>,
  tx: Tx,
  service: ServiceName,
): Promise<void> {
  await raiseRev(tx, service, clock.now())
  for (const hook of hooks.onFactsChanged) await hook(tx, service)
}
