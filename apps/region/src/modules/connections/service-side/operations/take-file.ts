import { instant, type Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import { copyIn, type ObjectKey, type Sha256 } from '@sealpost/objects'
import { findService } from '../../../services/index.ts'
import { announceObject, postponeObject } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { insertTakenFile } from '../store/taken-files.ts'

const HOUR_MS = 3_600_000
/** For this long a connection may be opened with the file. */
export const TAKEN_FOR_MS = 24 * HOUR_MS
/** Holds a sealed or clear envelope of the largest allowed document. */
const LARGEST_BYTES = 64 * 1024 * 1024

export interface OfferedFile {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly url: Secret<string>
  readonly sha256: Sha256
  readonly bytes: number
}

/** Copies a file here before a connection uses it; null when the service is missing or the copy fails. */
export async function takeFile(context: ServiceSideContext, file: OfferedFile): Promise<ObjectKey | null> {
  const { companyId, serviceId, sha256, bytes } = file
  const service = await context.database.read((read) => findService(read, companyId, serviceId))
  if (service === null || bytes > LARGEST_BYTES) return null
  const key = await announceObject(context)
  const expected = { key, sha256, maxBytes: bytes, contentType: 'application/octet-stream' }
  const copied = await copyIn(context, file.url, expected)
  if (!copied.ok || copied.value.sizeBytes !== bytes) return null
  await context.database.transaction(async (tx) => {
    const now = context.clock.now()
    // An hour longer than the file may be used, so that no object in use is removed.
    await postponeObject(tx, key, instant(now + TAKEN_FOR_MS + HOUR_MS))
    await insertTakenFile(tx, { serviceId, objectKey: key, sha256, bytes }, now)
  })
  return key
}
