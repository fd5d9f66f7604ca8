import { answer } from '@sealpost/http'
import { DRAWN_TYPE } from '@sealpost/images'
import { formatInstant, type UserId } from '@sealpost/kernel'
import {
  addPhoto as addPhotoRoute,
  deletePhoto,
  listPhotos,
  type PageQueryText,
  parsePageQuery,
  readPhotoFile,
  refuse,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../bind.ts'
import type { PhotoNeeds } from './needs.ts'
import type { Photo } from './photo.ts'
import { addPhoto, findPhoto, readPicture, removePhoto } from './photos.ts'
import { listPhotoRows } from './store/photos.ts'

export function bindPhotoRoutes(bind: BindRoute, needs: PhotoNeeds): void {
  bind({
    operation: listPhotos,
    handle: async ({ caller, query }) =>
      pageOf(await needs.database.read((read) => listPhotoRows(read, caller.accountId)), query),
  })
  bind({
    operation: addPhotoRoute,
    async handle({ caller, body, storeAnswer }) {
      const keep: Parameters<typeof addPhoto>[3] = (tx, photo) => storeAnswer(tx, showPhoto(photo))
      return showPhoto(await addPhoto(needs, caller.accountId, body.file, keep))
    },
  })
  bind({
    operation: readPhotoFile,
    locate: ({ caller, params }) => locate(needs, caller.accountId, params.id),
    async handle({ located: { full } }) {
      const bytes = Buffer.from(await readPicture(needs, full))
      // A picture never changes under its id; it may be gone, which asking again shows.
      const headers = {
        etag: `"${full.sha256}"`,
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      }
      return answer(bytes, { headers })
    },
  })
  bind({
    operation: deletePhoto,
    locate: ({ caller, params }) => locate(needs, caller.accountId, params.id),
    async handle({ caller, located }): Promise<undefined> {
      await removePhoto(needs, caller.accountId, located.id)
    },
  })
}

async function locate({ database }: PhotoNeeds, accountId: UserId, id: string): Promise<Photo> {
  const photo = await database.read((read) => findPhoto(read, accountId, id))
  if (photo === null) throw refuse('request.not_found')
  return photo
}

function pageOf(photos: readonly Photo[], query: PageQueryText) {
  const parsed = parsePageQuery(query)
  if (!parsed.ok) throw invalid(parsed.refusal.path, parsed.refusal.message)
  const { limit, from } = parsed.value
  const start = 'offset' in from ? from.offset : startAfter(photos, from.cursor)
  const page = photos.slice(start, start + limit)
  const hasMore = start + limit < photos.length
  return { total: photos.length, items: page.map(showPhoto), next_cursor: hasMore ? (page.at(-1)?.id ?? null) : null }
}

/** By the order of ids, so that a photo that is gone in between changes nothing. */
function startAfter(photos: readonly Photo[], cursor: string): number {
  if (!/^[0-9a-f-]{36}$/.test(cursor)) throw invalid('/cursor', 'is not a cursor of this list')
  const index = photos.findIndex(({ id }) => id > cursor)
  return index < 0 ? photos.length : index
}

function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/query${path}`, message }] })
}

function showPhoto({ id, full, createdAt }: Photo) {
  return {
    id,
    mime_type: DRAWN_TYPE,
    width: full.width,
    height: full.height,
    size: full.bytes,
    content_sha256: full.sha256,
    created_at: formatInstant(createdAt),
  }
}
