import { S3Client } from '@aws-sdk/client-s3'
import { PATIENCE, type Patience } from './patience.ts'
import type { ObjectsPlace } from './settings.ts'
import type { openLines } from './sockets.ts'

export interface Bucket {
  readonly client: S3Client
  /** Has no time limit for silence, which its sockets cannot tell from a slow reader; `unlessSilent` has one. */
  readonly downloader: S3Client
  readonly name: string
  /** See `Patience`. */
  readonly answerMs: number
  /** See `Patience`. */
  readonly silenceMs: number
  /** See [Note: lines for sockets]. */
  readonly lines: ReturnType<typeof openLines>
}

/** The SDK writes its errors to the console as well if it has no logger. */
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
/** The slowest accepted transfer. */
const BYTES_PER_SECOND = 262_144
/** The size of an object is known only from the answer; this leaves time for the largest one. */
const LARGEST_BYTES = 1_073_741_824

export function createS3Client(
  place: ObjectsPlace,
  endpoint: string,
  patience: Partial<Patience>,
  sockets: number,
): S3Client {
  const { connectMs, silenceMs, attempts } = { ...PATIENCE, ...patience }
  return new S3Client({
    endpoint,
    region: place.region,
    forcePathStyle: place.forcePathStyle,
    credentials: { accessKeyId: place.accessKeyId, secretAccessKey: place.secretAccessKey.reveal() },
    // The SDK's own checksums are sent as a trailer that several servers refuse, and others ignore when wrong.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: attempts,
    logger: SILENT,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: silenceMs,
      httpAgent: { keepAlive: true, maxSockets: sockets },
      httpsAgent: { keepAlive: true, maxSockets: sockets },
    },
  })
}

/** Ends a call with its retries, also when the server sends just enough to look alive. */
export function deadline({ answerMs }: Pick<Bucket, 'answerMs'>, sizeBytes = 0): AbortSignal {
  return AbortSignal.timeout(answerMs + transferMs(sizeBytes))
}

/** Runs a call whose answer has a body: the answer must begin in time, and its body has the time of the largest object. */
export async function answeredInTime<Answer>(
  { answerMs }: Pick<Bucket, 'answerMs'>,
  send: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), answerMs)
  try {
    const whole = AbortSignal.timeout(answerMs + transferMs(LARGEST_BYTES))
    return await send(AbortSignal.any([late.signal, whole]))
  } finally {
    clearTimeout(timer)
  }
}

function transferMs(sizeBytes: number): number {
  return Math.ceil((sizeBytes / BYTES_PER_SECOND) * 1_000)
}
