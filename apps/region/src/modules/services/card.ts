import type { FieldId, ServiceId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type CardEntry, refuse } from '@sealpost/protocol'
import { findVaultValue } from '../vault/index.ts'
import type { ServicesNeeds } from './needs.ts'
import type { ServiceName } from './service.ts'
import {
  deleteSharePhoto,
  listServicesWithField,
  listServicesWithPhoto,
  listShareFields,
  listSharePhotos,
} from './store/card.ts'
import { lockService, lockServicesOf, raiseRev } from './store/services.ts'

/** What of a company the customers of one of its services see. */
export interface Card {
  readonly card: readonly CardEntry[]
  readonly photoIds: readonly string[]
}

/** With the present values; a field that is empty is left out. */
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

/** A card travels with everything else that customers know of a service, in one message of the bus. */
const LARGEST_CARD_BYTES = 65_536

/** After a change, while the service is locked. `path`: the member of the call that made the card larger. */
export async function demandRoom(tx: Tx, { companyId, serviceId }: ServiceName, path: string): Promise<void> {
  const { card } = await readCard(tx, companyId, serviceId)
  if (Buffer.byteLength(JSON.stringify(card)) <= LARGEST_CARD_BYTES) return
  const message = `makes a business card larger than ${LARGEST_CARD_BYTES} bytes: show fewer fields or shorter texts`
  throw refuse('request.invalid', { details: [{ path, message }] })
}

type CardNeeds = Pick<ServicesNeeds, 'hooks' | 'clock'>

/** A value of the company has changed or is gone, or its field is called differently. */
export async function cardValueChanged(
  needs: CardNeeds,
  tx: Tx,
  { accountId, fieldId }: { readonly accountId: UserId; readonly fieldId: FieldId },
): Promise<void> {
  // All of them: a card that takes up the field this moment has not seen the change, and is not found before it is done.
  if ((await lockServicesOf(tx, accountId)).length === 0) return
  await announceAll(needs, tx, accountId, await listServicesWithField(tx, accountId, fieldId))
}

/** A photo of the company is gone. */
export async function cardPhotoGone(
  needs: CardNeeds,
  tx: Tx,
  { accountId, photoId }: { readonly accountId: UserId; readonly photoId: string },
): Promise<void> {
  const shown = (await listServicesWithPhoto(tx, accountId, photoId)).toSorted()
  // The service before what it shows, as whoever takes a photo off a card does.
  for (const serviceId of shown) {
    await lockService(tx, accountId, serviceId)
    await deleteSharePhoto(tx, { companyId: accountId, serviceId }, photoId)
  }
  await announceAll(needs, tx, accountId, shown)
}

/** The company is called differently: every card bears its name. */
export async function companyRenamed(needs: CardNeeds, tx: Tx, companyId: UserId): Promise<void> {
  for (const { id: serviceId } of await lockServicesOf(tx, companyId))
    await announce(needs, tx, { companyId, serviceId })
}

/** In the order of their ids, as everybody who locks several does. */
async function announceAll(needs: CardNeeds, tx: Tx, companyId: UserId, services: readonly ServiceId[]): Promise<void> {
  for (const serviceId of [...services].toSorted()) {
    if ((await lockService(tx, companyId, serviceId)) === null) continue
    await demandRoom(tx, { companyId, serviceId }, '/body')
    await announce(needs, tx, { companyId, serviceId })
  }
}

export async function announce({ hooks, clock }: CardNeeds, tx: Tx, service: ServiceName): Promise<void> {
  await raiseRev(tx, service, clock.now())
  for (const hook of hooks.onFactsChanged) await hook(tx, service)
}
