import { addressOf } from '../address.ts'
import type { PathParams } from '../route.ts'
import type { ReadStream } from '../streamed.ts'
import { collect } from './open-file.ts'

const PHOTO_LIMIT_BYTES = 32 * 1_048_576

export function readPhoto(
  readStream: ReadStream,
  path: string,
  params: PathParams,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return readStream(
    (apiUrl) => addressOf(apiUrl, path, params, {}),
    signal,
    ({ body }) => collect(body, PHOTO_LIMIT_BYTES),
  )
}
