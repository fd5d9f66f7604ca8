import type { ServiceKey } from '../keys/private-keys.ts'
import type { CallOptions } from '../options.ts'
import type { ReadStream } from '../streamed.ts'
import type { ReceivedFile } from './envelope.ts'
import { collect, type OpenFile, readFileAnswer } from './open-file.ts'

/** A complete file answer, decrypted. */
export interface FileAnswer {
  /** The digest of the received bytes; equal to `content_sha256` of the value. */
  readonly sha256: string
  /** `sealed`: the person's field is private. `raw`, `clear`: it is not. */
  readonly kind: OpenFile['kind']
  /** The text that an attestation covers; null for `raw`, which has no envelope. */
  readonly text: string | null
  readonly files: readonly ReceivedFile[]
  readonly name: string | null
  readonly entries: Readonly<Record<string, string>>
}

/** The largest file that is read into memory; use `open` for larger ones. */
const WHOLE_LIMIT_BYTES = 128 * 1_048_576

/** Shared files, by the `value_url` of a value or an event. */
export class Files {
  readonly #readStream: ReadStream

  constructor(readStream: ReadStream) {
    this.#readStream = readStream
  }

  /**
   * The answer in one of its shapes; a plain file is a stream. A one-time file that has expired is refused with
   * `company_data.file_expired`, whose details have its digest and its expiry.
   */
  async open(valueUrl: string, options: CallOptions = {}): Promise<OpenFile> {
    return this.#readStream((apiUrl) => fileAddress(valueUrl, apiUrl), options.signal, readFileAnswer)
  }

  /** The files of an answer of any shape. The key, or a function that returns it, is used for sealed answers. */
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

/** The token is sent to file routes of the region only: a `value_url` could name any address. */
function fileAddress(valueUrl: string, apiUrl: string): string {
  const base = new URL(apiUrl)
  const url = URL.canParse(valueUrl, base.origin) ? new URL(valueUrl, base.origin) : null
  const path = url?.origin === base.origin ? url.pathname : ''
  if (url?.search === '' && FILE_PATH.test(path)) return `${apiUrl}${path}`
  throw new TypeError('value_url is not the address of a file at this region; use it exactly as the platform sent it')
}
