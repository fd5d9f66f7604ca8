import type { ServiceKey } from '../keys/private-keys.ts'
import type { CallOptions } from '../options.ts'
import type { ReadStream } from '../streamed.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import type { Senders } from '../values/senders.ts'
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
  readonly #senders: Senders

  constructor(readStream: ReadStream, senders: Senders) {
    this.#readStream = readStream
    this.#senders = senders
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
    return filesOf(await this.open(valueUrl, options), key)
  }

  /**
   * The file of a field with its sender checked, from a connection record. Throws an `UntrustedAnswerError` for a sealed
   * file that the customer did not sign for this field, and for one that is not the announced file. Files that are not
   * private have no signature: `unsigned`.
   */
  async readShared(
    connection: SharedFiles,
    slug: string,
    key: ServiceKey | (() => Promise<ServiceKey>),
    options: CallOptions = {},
  ): Promise<FileAnswer & { readonly authenticity: 'signed' | 'unsigned' }> {
    const value = connection.values[slug]
    const subject = `connection ${connection.id}, ${slug}`
    if (typeof value?.value_url !== 'string') throw new TypeError(`${slug} is no file of connection ${connection.id}`)
    const isFromFlow = typeof value.flow_id === 'string' && RUN_FILE.exec(value.value_url)?.[1] === slug
    const isOwn = value.value_url.startsWith(`/api/company-data/connections/${connection.id}/`)
    if (!isOwn && !isFromFlow) throw new UntrustedAnswerError('file_moved', subject)
    const file = await this.open(value.value_url, options)
    if (value.content_sha256 !== file.sha256) throw new UntrustedAnswerError('file_changed', subject)
    const signature = value.sender_signature ?? null
    const place = { connectionId: connection.id, slug }
    if (file.kind !== 'sealed') {
      const authenticity = this.#senders.checkClear({ ...place, signature })
      return { ...(await filesOf(file, key)), authenticity }
    }
    const opened = typeof key === 'function' ? await key() : key
    const authenticity = await this.#senders.check({ ...place, wrapper: file.sealed, signature, isFromFlow }, opened)
    return { ...(await filesOf(file, opened)), authenticity }
  }
}

/** The part of a connection record that names its files. */
export interface SharedFiles {
  readonly id: string
  readonly values: Readonly<
    Record<
      string,
      {
        readonly value_url?: string | null
        readonly content_sha256?: string | null
        readonly sender_signature?: string | null
        readonly flow_id?: string | null
      }
    >
  >
}

async function filesOf(file: OpenFile, key: ServiceKey | (() => Promise<ServiceKey>) | undefined): Promise<FileAnswer> {
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

const RUN_FILE = /^\/api\/company-data\/flow-runs\/[\w-]+\/slots\/([\w-]+)\/file$/

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
