import { answer } from '@sealpost/http'
import type { UserId } from '@sealpost/kernel'
import {
  addPhoto as addPhotoRoute,
  deletePhoto,
  listPhotos,
  readPhoto,
  readPhotoFile,
  refuse,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { pageInMemory } from '../../../platform/page.ts'
import type { VaultContext } from '../context.ts'
import { photoToWire } from '../wire.ts'
import type { Photo } from './model.ts'
import { addPhoto, findPhoto, readPicture, removePhoto } from './operations/photos.ts'
import { listPhotoRows } from './store/photos.ts'

const photos = { name: 'photos', idOf: ({ id }: Photo) => id, toWire: photoToWire }

export function bindPhotoRoutes(bind: BindRoute, vault: VaultContext): void {
  bind({
    operation: listPhotos,
    handle: async ({ caller, query }) =>
      pageInMemory(photos, query, await vault.database.read((read) => listPhotoRows(read, caller.accountId))),
  })
  bind({
    operation: addPhotoRoute,
    handle: async ({ caller, body }) => photoToWire(await addPhoto(vault, caller.accountId, body.file)),
  })
  bind({
    operation: readPhoto,
    locate: ({ caller, params }) => locate(vault, caller.accountId, params.id),
    handle: ({ located }) => photoToWire(located),
  })
  bind({
    operation: readPhotoFile,
    locate: ({ caller, params }) => locate(vault, caller.accountId, params.id),
    async handle({ located: { full } }) {
      const bytes = await readPicture(vault, full)
      if (bytes === null) throw refuse('request.not_found')
      // A picture never changes under its id, but it may be deleted, so a cache must revalidate.
      const headers = {
        etag: `"${full.sha256}"`,
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      }
      return answer(Buffer.from(bytes), { headers })
    },
  })
  bind({
    operation: deletePhoto,
    locate: ({ caller, params }) => locate(vault, caller.accountId, params.id),
    async handle({ caller, located }): Promise<undefined> {
      await removePhoto(vault, caller.accountId, located.id)
    },
  })
}

async function locate({ database }: VaultContext, accountId: UserId, id: string): Promise<Photo> {
  const photo = await database.read((read) => findPhoto(read, accountId, id))
  if (photo === null) throw refuse('request.not_found')
  return photo
}
