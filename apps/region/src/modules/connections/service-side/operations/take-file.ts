import { instant, type Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import { copyIn, type ObjectKey, type Sha256 } from '@sealpost/objects'
import { findService } from '../../../services/index.ts'
import { announceObject, postponeObject } from '../../../vault/index.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { insertTakenFile } from '../store/taken-files.ts'

const HOUR_MS = 3_600_000
/** So long a connection may be opened with it. */
export const TAKEN_FOR_MS = 24 * HOUR_MS
/** A sealed or clear envelope of the largest document there is. */
const LARGEST_BYTES = 64 * 1024 * 1024

export interface OfferedFile {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly url: Secret<string>
  readonly sha256: Sha256
  readonly bytes: number
}

/** Copies a file here before anything refers to it; null when it cannot be had, or nobody here wants it. */
export async function takeFile(needs: ServiceSideNeeds, file: OfferedFile): Promise<ObjectKey | null> {
  const { companyId, serviceId, sha256, bytes } = file
  const service = await needs.database.read((read) => findService(read, companyId, serviceId))
  if (service === null || bytes > LARGEST_BYTES) return null
  const key = await announceObject(needs)
  const expected = { key, sha256, maxBytes: bytes, contentType: 'application/octet-stream' }
  const copied = await copyIn(needs, file.url, expected)
  if (!copied.ok || copied.value.sizeBytes !== bytes) return null
  await needs.database.transaction(async (tx) => {
    const now = needs.clock.now()
    // An hour longer than anybody may use it, so that what is used is never what is being removed.
    await postponeObject(tx, key, instant(now + TAKEN_FOR_MS + HOUR_MS))
    await insertTakenFile(tx, { serviceId, objectKey: key, sha256, bytes }, now)
  })
  return key
}
