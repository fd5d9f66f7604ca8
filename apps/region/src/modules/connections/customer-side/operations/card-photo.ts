import { sha256Of } from '@sealpost/objects'
import { refuse } from '@sealpost/protocol'
import type { KnownConnection } from '../connection.ts'
import type { CustomerNeeds } from '../needs.ts'

export interface CardPhoto {
  readonly contentType: string
  readonly sha256: string
  readonly content: Buffer
}

const CONNECT_MS = 5000
const TOTAL_MS = 20_000
/** Card photos are drawn anew by the platform and far smaller. */
const LARGEST_BYTES = 16 * 1024 * 1024

/** Photos stay in the region of their company; it hands out a link for a few minutes, and what that shows is passed on. */
export async function readPhoto(
  { wire, egress }: CustomerNeeds,
  { connection, card }: KnownConnection,
  photoId: string,
): Promise<CardPhoto> {
  if (!card.facts.photo_ids.includes(photoId)) throw refuse('company_data.file_not_found')
  const photo = await wire.readCardPhoto(connection, photoId)
  if (photo === null) throw refuse('company_data.file_not_found')
  const answered = await egress.send({
    method: 'GET',
    url: photo.url.reveal(),
    connectTimeoutMs: CONNECT_MS,
    totalTimeoutMs: TOTAL_MS,
    maxResponseBytes: LARGEST_BYTES,
  })
  const isWhole = answered.ok && answered.value.status === 200 && sha256Of(answered.value.body) === photo.sha256
  if (!isWhole) throw refuse('region.unreachable')
  return { contentType: photo.contentType, sha256: photo.sha256, content: Buffer.from(answered.value.body) }
}
