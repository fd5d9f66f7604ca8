import { sha256Of } from '@sealpost/objects'
import { refuse } from '@sealpost/protocol'
import type { CustomerContext } from '../context.ts'
import type { KnownConnection } from '../model.ts'

export interface CardPhoto {
  readonly contentType: string
  readonly sha256: string
  readonly content: Buffer
}

const CONNECT_MS = 5000
const TOTAL_MS = 20_000
const NOT_FOUND = 404
/** The platform re-encodes card photos, so they are far smaller. */
const LARGEST_BYTES = 16 * 1024 * 1024

/** Photos stay in the region of their company. It answers a short-lived link, and the photo is fetched from there. */
export async function readCardPhoto(
  { messages, egress }: CustomerContext,
  { connection, card }: KnownConnection,
  photoId: string,
): Promise<CardPhoto> {
  if (!card.facts.photo_ids.includes(photoId)) throw refuse('company_data.file_not_found')
  const photo = await messages.askForCardPhoto(connection, photoId)
  if (photo === null) throw refuse('company_data.file_not_found')
  const answered = await egress.send({
    method: 'GET',
    url: photo.url.reveal(),
    connectTimeoutMs: CONNECT_MS,
    totalTimeoutMs: TOTAL_MS,
    maxResponseBytes: LARGEST_BYTES,
  })
  if (answered.ok && answered.value.status === NOT_FOUND) throw refuse('company_data.file_not_found')
  const isWhole = answered.ok && answered.value.status === 200 && sha256Of(answered.value.body) === photo.sha256
  if (!isWhole) throw refuse('region.unreachable')
  return { contentType: photo.contentType, sha256: photo.sha256, content: Buffer.from(answered.value.body) }
}
