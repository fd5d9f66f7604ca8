import type { Bus } from '@sealpost/bus'
import { parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Objects } from '@sealpost/objects'
import { readCardPhotoAsk } from '@sealpost/protocol'
import { findCardPhoto } from '../vault/index.ts'
import type { ServicesNeeds } from './needs.ts'
import { isPhotoShared } from './store/card.ts'
import { findService } from './store/services.ts'

export interface ServicesBusNeeds extends Pick<ServicesNeeds, 'database'> {
  readonly bus: Bus
  readonly objects: Objects
}

/** Long enough to fetch a photo, short enough that a leaked link is soon worth nothing. */
const LINK_SECONDS = 300

/** What a customer's region asks about business cards. */
export function answerCards(needs: ServicesBusNeeds): void {
  needs.bus.onRead(readCardPhotoAsk, async ({ body }) => {
    const companyId = parseUuid<UserId>(body.company_id)
    const serviceId = parseUuid<ServiceId>(body.service_id)
    const photoId = parseUuid<string>(body.photo_id)
    if (companyId === null || serviceId === null || photoId === null) return { photo: null }
    const photo = await findShownPhoto(needs, companyId, serviceId, photoId)
    if (photo === null) return { photo: null }
    const url = (await needs.objects.presignGet(photo.objectKey, LINK_SECONDS)).reveal()
    return { photo: { url, sha256: photo.sha256, bytes: photo.bytes, content_type: photo.contentType } }
  })
}

function findShownPhoto({ database }: ServicesBusNeeds, companyId: UserId, serviceId: ServiceId, photoId: string) {
  return database.read(async (read) => {
    const isShown =
      (await findService(read, companyId, serviceId)) !== null &&
      (await isPhotoShared(read, { companyId, serviceId }, photoId))
    return isShown ? findCardPhoto(read, companyId, photoId) : null
  })
}
