import { parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import { readCardPhotoAsk } from '@sealpost/protocol'
import type { Platform } from '../../platform/module.ts'
import { findCardPhoto } from '../vault/index.ts'
import { isPhotoShared } from './store/card.ts'
import { findService } from './store/services.ts'

/** Long enough to fetch a photo; a leaked link soon expires. */
const LINK_SECONDS = 300

/** Answers asks of customers' regions about the photos of business cards. */
export function answerCardAsks({ bus, database, objects }: Pick<Platform, 'bus' | 'database' | 'objects'>): void {
  bus.onRead(readCardPhotoAsk, async ({ body }) => {
    const companyId = parseUuid<UserId>(body.company_id)
    const serviceId = parseUuid<ServiceId>(body.service_id)
    const photoId = parseUuid<string>(body.photo_id)
    if (companyId === null || serviceId === null || photoId === null) return { photo: null }
    const photo = await database.read(async (read) => {
      const isShown =
        (await findService(read, companyId, serviceId)) !== null &&
        (await isPhotoShared(read, { companyId, serviceId }, photoId))
      return isShown ? findCardPhoto(read, companyId, photoId) : null
    })
    if (photo === null) return { photo: null }
    const url = (await objects.presignGet(photo.objectKey, LINK_SECONDS)).reveal()
    return { photo: { url, sha256: photo.sha256, bytes: photo.bytes, content_type: photo.contentType } }
  })
}
