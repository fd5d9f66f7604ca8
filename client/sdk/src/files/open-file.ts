import { joinBytes } from '../bytes.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import type { ServiceKey } from '../keys/private-keys.ts'
import type { Streamed } from '../streamed.ts'
import { type Envelope, readEnvelope } from './envelope.ts'
import { Sha256 } from './sha256.ts'

/** The received bytes do not match the announced digest. */
export class ContentMismatchError extends Error {
  override readonly name = 'ContentMismatchError'
  readonly announced: string
  readonly received: string
  readonly requestId: string

  constructor(announced: string, received: string, requestId: string) {
    super(
      `The file was announced with SHA-256 ${announced}, but the received bytes have ${received}: ` +
        `discard it and read it again (request ${requestId})`,
    )
    this.announced = announced
    this.received = received
    this.requestId = requestId
  }
}

/** A file answer in one of its three shapes. */
export type OpenFile =
  /** The file as a stream, which fails at its end if the digest does not match. */
  | {
      readonly kind: 'raw'
      readonly contentType: string
      readonly sha256: string
      readonly stream: ReadableStream<Uint8Array>
    }
  /** In the clear, because the person's field is not private; several files or entries. */
  | { readonly kind: 'clear'; readonly sha256: string; readonly envelope: Envelope }
  /** Sealed to the service's key. */
  | {
      readonly kind: 'sealed'
      readonly sha256: string
      /** The wrapper's text. */
      readonly sealed: string
      open(key: ServiceKey): Promise<Envelope>
    }

/** The largest file of a field is about 47 MB of JSON when sealed. */
const JSON_LIMIT_BYTES = 128 * 1_048_576

/** The Content-Type decides about the shape, then the member `encrypted`. */
export async function readFileAnswer(answer: Streamed): Promise<OpenFile> {
  const sha256 = announcedDigest(answer)
  const contentType = answer.headers.get('content-type') ?? 'application/octet-stream'
  const stream = checkedStream(answer, sha256)
  if (!/^application\/json\b/i.test(contentType)) return { kind: 'raw', contentType, sha256, stream }
  const bytes = await collect(stream, JSON_LIMIT_BYTES)
  const shape = parseShape(bytes)
  // A shared file may itself be JSON.
  if (shape === null) return { kind: 'raw', contentType, sha256, stream: streamOfBytes(bytes) }
  if (!shape.encrypted) return { kind: 'clear', sha256, envelope: readEnvelope(shape.value) }
  const { value: sealed } = shape
  return { kind: 'sealed', sha256, sealed, open: async (key) => readEnvelope(await key.open(sealed)) }
}

export async function collect(stream: ReadableStream<Uint8Array>, limitBytes: number): Promise<Uint8Array> {
  const reader = stream.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { value } = await reader.read()
    if (value === undefined) break
    length += value.length
    parts.push(value)
    if (length <= limitBytes) continue
    await reader.cancel()
    throw new RangeError(`the file has more than ${limitBytes} bytes; read it as a stream`)
  }
  return joinBytes(parts, length)
}

/** Computes the digest while the stream is read; a mismatch fails the stream at its end. */
function checkedStream({ body, requestId }: Streamed, announced: string): ReadableStream<Uint8Array> {
  const hash = new Sha256()
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await reader.read()
      if (value !== undefined) {
        hash.update(value)
        return controller.enqueue(value)
      }
      const received = hash.digest()
      if (received === announced) return controller.close()
      return controller.error(new ContentMismatchError(announced, received, requestId))
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

function streamOfBytes(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  })
}

/** The vendor word of the header is a setting of the installation. */
function announcedDigest({ headers, status, requestId }: Streamed): string {
  const own = headers.get('x-platform-content-sha256')
  const other = () => [...headers].find(([name]) => /^x-[\w-]+-content-sha256$/.test(name))?.[1]
  const digest = own ?? other() ?? ''
  if (/^[0-9a-f]{64}$/.test(digest)) return digest
  const message =
    'A file has no X-Platform-Content-Sha256, so it cannot be checked; a proxy may have removed the header'
  throw new UnexpectedAnswerError(message, { status, requestId, retryAfterSeconds: undefined })
}

function parseShape(bytes: Uint8Array): { readonly encrypted: boolean; readonly value: string } | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof parsed !== 'object' || parsed === null || !('encrypted' in parsed) || !('value' in parsed)) return null
    const { encrypted, value } = parsed
    if (typeof encrypted !== 'boolean') return null
    // Some installations send the wrapper or the envelope as an object instead of text.
    if (typeof value === 'object' && value !== null) return { encrypted, value: JSON.stringify(value) }
    return typeof value === 'string' ? { encrypted, value } : null
  } catch {
    return null
  }
}
