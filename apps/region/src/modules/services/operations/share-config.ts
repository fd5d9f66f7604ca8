import { resolveType } from '@sealpost/field-types'
import { type FieldId, parseUuid } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type ContactField, findContactField, listContactFields, loadRegistry, mayFill } from '../../registry/index.ts'
import { lockPhotoForShare } from '../../vault/index.ts'
import type { ServicesContext } from '../context.ts'
import type { Actor, ServiceName } from '../model.ts'
import { invalidBody } from '../rules/refusals.ts'
import {
  deleteSharePhoto,
  insertSharePhoto,
  isPhotoShared,
  listShareFields,
  listSharePhotos,
  replaceShareFields,
} from '../store/card.ts'
import { lockService } from '../store/services.ts'
import { configToken, type WireShareConfig } from '../wire.ts'
import { announceFacts, requireCardSize } from './card.ts'
import { recordChange } from './record-change.ts'

const MAX_PHOTOS = 10

export async function readShareConfig(read: Read, service: ServiceName): Promise<WireShareConfig> {
  const fieldIds = await listShareFields(read, service)
  const known = new Map((await listContactFields(read, service.companyId)).map((field) => [field.id, field]))
  return {
    config_token: configToken(fieldIds),
    fields: fieldIds.flatMap((id) => {
      const field = known.get(id)
      return field === undefined ? [] : [{ field_id: id, slug: field.slug, label: field.label, type: field.type }]
    }),
    photo_ids: [...(await listSharePhotos(read, service))],
  }
}

export async function changeShareFields(
  services: ServicesContext,
  actor: Actor,
  service: ServiceName,
  body: { readonly config_token: string; readonly fields: readonly { readonly field_id: string }[] },
): Promise<WireShareConfig> {
  return services.database.transaction(async (tx) => {
    await requireLocked(tx, service)
    const before = configToken(await listShareFields(tx, service))
    if (before !== body.config_token) throw refuse('services.config_conflict')
    const fields = await readFields(tx, service, body.fields)
    if (configToken(fields) !== before) {
      await replaceShareFields(tx, service, fields)
      await requireCardSize(tx, service, '/body/fields')
      await recordChange(services, tx, actor, service.serviceId, {
        action: 'services.change_share_fields',
        message: 'The business card was changed',
      })
      await announceFacts(services, tx, service)
    }
    return readShareConfig(tx, service)
  })
}

export async function addSharePhoto(
  services: ServicesContext,
  actor: Actor,
  service: ServiceName,
  given: string,
): Promise<WireShareConfig> {
  return services.database.transaction(async (tx) => {
    const photoId = parseUuid<string>(given)
    // Before the service, the lock order of the deletion of a photo.
    const isLocked = photoId !== null && (await lockPhotoForShare(tx, service.companyId, photoId))
    await requireLocked(tx, service)
    if (!isLocked) throw invalidBody('/photo_id', 'is no photo of GET /api/photos')
    if (!(await isPhotoShared(tx, service, photoId))) {
      const shown = await listSharePhotos(tx, service)
      if (shown.length >= MAX_PHOTOS)
        throw invalidBody('/photo_id', `a business card shows at most ${MAX_PHOTOS} photos; remove one first`)
      await insertSharePhoto(tx, service, photoId, services.clock.now())
      await recordChange(services, tx, actor, service.serviceId, {
        action: 'services.add_share_photo',
        message: 'A photo was added to the business card',
        metadata: { photo_id: photoId },
      })
      await announceFacts(services, tx, service)
    }
    const answer = await readShareConfig(tx, service)
    await tx.storeAnswer(answer)
    return answer
  })
}

export async function removeSharePhoto(
  services: ServicesContext,
  actor: Actor,
  service: ServiceName,
  photoId: string,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    await requireLocked(tx, service)
    if (!(await deleteSharePhoto(tx, service, photoId))) return
    await recordChange(services, tx, actor, service.serviceId, {
      action: 'services.remove_share_photo',
      message: 'A photo was taken off the business card',
      metadata: { photo_id: photoId },
    })
    await announceFacts(services, tx, service)
  })
}

async function requireLocked(tx: Tx, { companyId, serviceId }: ServiceName): Promise<void> {
  if ((await lockService(tx, companyId, serviceId)) === null) throw refuse('services.not_found')
}

/** Distinct fields that a company may fill with a text. */
async function readFields(
  tx: Tx,
  { companyId }: ServiceName,
  given: readonly { readonly field_id: string }[],
): Promise<readonly FieldId[]> {
  const registry = await loadRegistry(tx)
  const mayShow = (field: ContactField): boolean =>
    mayFill(field, 'company') && resolveType(registry, field.type).lane === 'inline'
  const fields: FieldId[] = []
  for (const [place, { field_id: text }] of given.entries()) {
    const id = parseUuid<FieldId>(text)
    const field = id === null ? null : await findContactField(tx, companyId, id)
    const path = `/fields/${place}/field_id`
    if (field === null) throw invalidBody(path, 'is no field of GET /api/contact-fields')
    if (!mayShow(field)) throw invalidBody(path, 'is a field that a company cannot show')
    if (fields.includes(field.id)) throw invalidBody(path, 'is listed twice')
    fields.push(field.id)
  }
  return fields
}
