import { addressOf } from '../address.ts'
import { dataUriOf, type FileToShare } from '../files/new-envelope.ts'
import { collect } from '../files/open-file.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import { addPhoto, deletePhoto, listPhotos } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ListPhotosAnswer } from '../shapes.generated.ts'
import type { ReadStream } from '../streamed.ts'

export type PhotoRecord = ListPhotosAnswer['items'][number]

const PHOTO_LIMIT_BYTES = 32 * 1_048_576

/** Profile photos: in the clear, drawn anew by the platform, without EXIF. */
export class Photos {
  readonly #readStream: ReadStream
  readonly #send: Send

  constructor(readStream: ReadStream, send: Send) {
    this.#readStream = readStream
    this.#send = send
  }

  list(options?: CallOptions): AsyncGenerator<PhotoRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listPhotos, { query: pageQuery(cursor) }, options))
  }

  /** JPEG, PNG or WebP. */
  add(photo: Pick<FileToShare, 'bytes' | 'mimeType'>, options?: CallOptions): Promise<PhotoRecord> {
    return this.#send(addPhoto, { body: { file: dataUriOf({ ...photo, originalName: '' }) } }, options)
  }

  /** The picture itself, a JPEG. */
  read(photoId: string, { signal }: CallOptions = {}): Promise<Uint8Array> {
    const path = '/api/photos/{id}/file'
    return this.#readStream(
      (apiUrl) => addressOf(apiUrl, path, { id: photoId }, {}),
      signal,
      ({ body }) => collect(body, PHOTO_LIMIT_BYTES),
    )
  }

  delete(photoId: string, options?: CallOptions): Promise<void> {
    return this.#send(deletePhoto, { params: { id: photoId } }, options)
  }
}
