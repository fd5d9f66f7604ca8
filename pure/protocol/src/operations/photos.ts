import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { Sha256, Timestamp, Uuid } from '../wire/scalars.ts'

const MIB = 1_048_576

const Photo = Type.Object(
  {
    id: Uuid,
    mime_type: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    size: Type.Integer({ description: 'Bytes.' }),
    content_sha256: Sha256,
    created_at: Timestamp,
  },
  { title: 'Photo', description: '`content_sha256` is the digest of the stored picture, not of the upload.' },
)

const photoId = Type.Object({ id: Type.String({ format: 'uuid', description: 'The id of the photo.' }) })

export const listPhotos = defineOperation({
  id: 'photos.list',
  method: 'GET',
  path: '/api/photos',
  document: 'account',
  summary: 'Your profile photos',
  callers: ['account_client', 'portal', 'person'],
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The photos, oldest first', body: pageOf(Photo) },
  errors: [],
})

export const addPhoto = defineOperation({
  id: 'photos.add',
  method: 'POST',
  path: '/api/photos',
  document: 'account',
  summary: 'Add a profile photo',
  description:
    'JPEG, PNG or WebP of at most 5 MB, checked by its bytes, and of up to 30 megapixels (20 where it is progressive,' +
    ' transparent or WebP). It is re-encoded as a JPEG: upright, at ' +
    'most 2048 pixels wide or high, on white where it was transparent, and without EXIF or other data of ' +
    'the file.',
  callers: ['account_client', 'portal', 'person'],
  rate: 'data',
  creates: true,
  // Room for 10 MB in base64, the highest limit an installation may set; the route itself checks the file.
  maxBodyBytes: 16 * MIB,
  body: Type.Object({
    file: Type.String({
      pattern: '^data:',
      description: 'A data URI: `data:image/jpeg;base64,…`',
      examples: ['data:image/png;base64,iVBORw0KGgo='],
    }),
  }),
  success: { status: 201, about: 'The photo', body: Photo },
  errors: ['account.storage_exceeded'],
})

export const readPhoto = defineOperation({
  id: 'photos.read',
  method: 'GET',
  path: '/api/photos/{id}',
  document: 'account',
  summary: 'One profile photo',
  description: 'Without the picture.',
  callers: ['account_client', 'portal', 'person'],
  rate: 'data',
  params: photoId,
  success: { status: 200, about: 'The photo', body: Photo },
  errors: [],
})

export const readPhotoFile = defineOperation({
  id: 'photos.read_file',
  method: 'GET',
  path: '/api/photos/{id}/file',
  document: 'account',
  summary: 'The picture itself',
  callers: ['account_client', 'portal', 'person'],
  rate: 'data',
  params: photoId,
  jsonOnly: true,
  success: { status: 200, about: 'The picture', mediaType: 'image/jpeg', revalidates: true },
  errors: [],
})

export const deletePhoto = defineOperation({
  id: 'photos.delete',
  method: 'DELETE',
  path: '/api/photos/{id}',
  document: 'account',
  summary: 'Remove a profile photo',
  callers: ['account_client', 'portal', 'person'],
  rate: 'data',
  params: photoId,
  success: { status: 204, about: 'The photo is deleted' },
  errors: [],
})
