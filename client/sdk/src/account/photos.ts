import { dataUriOf, type FileToShare } from '../files/new-envelope.ts'
import { readPhoto } from '../files/read-photo.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import { addPhoto, deletePhoto, listPhotos, readPhoto as readPhotoRecord } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ListPhotosAnswer } from '../shapes.generated.ts'
import type { ReadStream } from '../streamed.ts'

export type PhotoRecord = ListPhotosAnswer['items'][number]

/** Profile photos: in the clear, re-encoded by the platform without EXIF. */
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

  /** The members of a photo, without the picture. */
  find(photoId: string, options?: CallOptions): Promise<PhotoRecord> {
    return this.#send(readPhotoRecord, { params: { id: photoId } }, options)
  }

  /** The photo, a JPEG. */
  read(photoId: string, { signal }: CallOptions = {}): Promise<Uint8Array> {
    return readPhoto(this.#readStream, '/api/photos/{id}/file', { id: photoId }, signal)
  }

  delete(photoId: string, options?: CallOptions): Promise<void> {
    return this.#send(deletePhoto, { params: { id: photoId } }, options)
  }
}
