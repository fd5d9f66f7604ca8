import type { ServiceKey } from '../keys/private-keys.ts'
import type { CallOptions } from '../options.ts'
import type { ReadStream } from '../streamed.ts'
import type { ReceivedFile } from './envelope.ts'
import { collect, type OpenFile, readFileAnswer } from './open-file.ts'

/** A whole answer, opened. */
export interface FileAnswer {
  /** Over exactly the bytes that came; the same as `content_sha256` of the value. */
  readonly sha256: string
  /** `raw`, `clear`: the person's field is not private. `sealed`: it is. */
  readonly kind: OpenFile['kind']
  /** What an attestation is about; null for `raw`, where only the file comes. */
  readonly text: string | null
  readonly files: readonly ReceivedFile[]
  readonly name: string | null
  readonly entries: Readonly<Record<string, string>>
}

/** A whole file that is kept in memory; larger ones are for `open`. */
const WHOLE_LIMIT_BYTES = 128 * 1_048_576

/** The files that persons share. They come by the `value_url` of a value or an event. */
export class Files {
  readonly #readStream: ReadStream

  constructor(readStream: ReadStream) {
    this.#readStream = readStream
  }

  /**
   * The answer in its shape, a plain file as a stream. An answer that was shared once and whose time is over is refused
   * with `company_data.file_expired`, whose details name its digest and when it ended.
   */
  async open(valueUrl: string, options: CallOptions = {}): Promise<OpenFile> {
    return this.#readStream((apiUrl) => fileAddress(valueUrl, apiUrl), options.signal, readFileAnswer)
  }

  /** Whatever the shape, the files themselves. The key, or a function that answers it, is asked for what is sealed. */
  async read(
    valueUrl: string,
    key?: ServiceKey | (() => Promise<ServiceKey>),
    options: CallOptions = {},
  ): Promise<FileAnswer> {
    const file = await this.open(valueUrl, options)
    const { kind, sha256 } = file
    if (kind === 'raw') {
      const bytes = await collect(file.stream, WHOLE_LIMIT_BYTES)
      const only: ReceivedFile = { part: 'file', bytes, mimeType: file.contentType, originalName: null, label: null }
      return { kind, sha256, text: null, files: [only], name: null, entries: {} }
    }
    if (kind === 'clear') return { kind, sha256, ...file.envelope }
    if (key === undefined) throw new TypeError('this file is sealed: give the ServiceKey that opens it')
    return { kind, sha256, ...(await file.open(typeof key === 'function' ? await key() : key)) }
  }
}

const FILE_PATH =
  /^\/api\/company-data\/(connections\/[\w-]+\/(slots\/[\w-]+|flow-links\/[\w-]+\/[\w-]+)|flow-runs\/[\w-]+\/slots\/[\w-]+)\/file$/

/** The token goes to the region only, and only to routes of files: a `value_url` could name anything. */
function fileAddress(valueUrl: string, apiUrl: string): string {
  const base = new URL(apiUrl)
  const url = URL.canParse(valueUrl, base.origin) ? new URL(valueUrl, base.origin) : null
  const path = url?.origin === base.origin ? url.pathname : ''
  if (url?.search === '' && FILE_PATH.test(path)) return `${apiUrl}${path}`
  throw new TypeError('value_url is not the address of a file at this region; take it as it stands in the answer')
}
