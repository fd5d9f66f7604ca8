import { resolveType } from '@sealpost/field-types'
import { type FieldId, parseUuid } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type ContactField, findContactField, listContactFields, loadRegistry, mayFill } from '../registry/index.ts'
import { holdPhoto } from '../vault/index.ts'
import { type Actor, recordAct } from './acting.ts'
import { announce, demandRoom } from './card.ts'
import { configToken } from './config-token.ts'
import type { ServicesNeeds } from './needs.ts'
import { invalidBody } from './paging.ts'
import type { ServiceName } from './service.ts'
import {
  deleteSharePhoto,
  insertSharePhoto,
  isPhotoShared,
  listShareFields,
  listSharePhotos,
  replaceShareFields,
} from './store/card.ts'
import { lockService } from './store/services.ts'

const MOST_PHOTOS = 10

export interface ShareConfigShown {
  readonly config_token: string
  readonly fields: { field_id: string; slug: string; label: string; type: string }[]
  readonly photo_ids: string[]
}

export async function readShareConfig(read: Read, service: ServiceName): Promise<ShareConfigShown> {
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
  needs: ServicesNeeds,
  actor: Actor,
  service: ServiceName,
  body: { readonly config_token: string; readonly fields: readonly { readonly field_id: string }[] },
): Promise<ShareConfigShown> {
  return needs.database.transaction(async (tx) => {
    await demandService(tx, service)
    const before = configToken(await listShareFields(tx, service))
    if (before !== body.config_token) throw refuse('services.config_conflict')
    const fields = await readFields(tx, service, body.fields)
    if (configToken(fields) !== before) {
      await replaceShareFields(tx, service, fields)
      await demandRoom(tx, service, '/body/fields')
      await recordAct(tx, needs, actor, service.serviceId, {
        action: 'services.change_share_fields',
        message: 'The business card was changed',
      })
      await announce(needs, tx, service)
    }
    return readShareConfig(tx, service)
  })
}

export async function addSharePhoto(
  needs: ServicesNeeds,
  actor: Actor,
  service: ServiceName,
  given: string,
  storeAnswer: (tx: Tx, answer: ShareConfigShown) => Promise<void>,
): Promise<ShareConfigShown> {
  return needs.database.transaction(async (tx) => {
    const photoId = parseUuid<string>(given)
    // Before the service, as whoever removes a photo does.
    const isHeld = photoId !== null && (await holdPhoto(tx, service.companyId, photoId))
    await demandService(tx, service)
    if (!isHeld) throw invalid('/photo_id', 'is no photo of GET /api/photos')
    if (!(await isPhotoShared(tx, service, photoId))) {
      const shown = await listSharePhotos(tx, service)
      if (shown.length >= MOST_PHOTOS) throw invalid('/photo_id', `at most ${MOST_PHOTOS} photos are shown`)
      await insertSharePhoto(tx, service, photoId, needs.clock.now())
      await recordAct(tx, needs, actor, service.serviceId, {
        action: 'services.add_share_photo',
        message: 'A photo was added to the business card',
        metadata: { photo_id: photoId },
      })
      await announce(needs, tx, service)
    }
    const answer = await readShareConfig(tx, service)
    await storeAnswer(tx, answer)
    return answer
  })
}

export async function removeSharePhoto(
  needs: ServicesNeeds,
  actor: Actor,
  service: ServiceName,
  photoId: string,
): Promise<void> {
  await needs.database.transaction(async (tx) => {
    await demandService(tx, service)
    if (!(await deleteSharePhoto(tx, service, photoId))) return
    await recordAct(tx, needs, actor, service.serviceId, {
      action: 'services.remove_share_photo',
      message: 'A photo was taken off the business card',
      metadata: { photo_id: photoId },
    })
    await announce(needs, tx, service)
  })
}

async function demandService(tx: Tx, { companyId, serviceId }: ServiceName): Promise<void> {
  if ((await lockService(tx, companyId, serviceId)) === null) throw refuse('services.not_found')
}

/** Each once, and only what a company may fill with a text. */
async function readFields(
  tx: Tx,
  { companyId }: ServiceName,
  given: readonly { readonly field_id: string }[],
): Promise<readonly FieldId[]> {
  const registry = await loadRegistry(tx)
  const isShown = (field: ContactField): boolean =>
    mayFill(field, 'company') && resolveType(registry, field.type).lane === 'inline'
  const fields: FieldId[] = []
  for (const [place, { field_id: text }] of given.entries()) {
    const id = parseUuid<FieldId>(text)
    const field = id === null ? null : await findContactField(tx, companyId, id)
    const path = `/fields/${place}/field_id`
    if (field === null) throw invalid(path, 'is no field of GET /api/contact-fields')
    if (!isShown(field)) throw invalid(path, 'is a field that a company cannot show')
    if (fields.includes(field.id)) throw invalid(path, 'is there twice')
    fields.push(field.id)
  }
  return fields
}

function invalid(path: string, message: string): Error {
  return refuse('request.invalid', invalidBody(path, message))
}
