import { S3Client } from '@aws-sdk/client-s3'
import type { ObjectsPlace } from './settings.ts'

export interface Bucket {
  readonly client: S3Client
  readonly name: string
}

/** The time limits of the server; every call also has a total limit that follows from its size. */
export interface Patience {
  readonly connectMs: number
  /** Silence in both directions. */
  readonly silenceMs: number
  readonly attempts: number
}

const PATIENCE: Patience = { connectMs: 3_000, silenceMs: 10_000, attempts: 3 }
const SOCKETS = 64
/** The SDK writes its errors to the console as well if it has no logger. */
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
/** The slowest accepted transfer. */
const BYTES_PER_SECOND = 262_144
const SMALL_CALL_MS = 30_000

export function createS3Client(place: ObjectsPlace, endpoint: string, patience: Partial<Patience>): S3Client {
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
      httpAgent: { keepAlive: true, maxSockets: SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS },
    },
  })
}

/** Ends a call with its retries, also when the server sends just enough to look alive. */
export function deadline(sizeBytes = 0): AbortSignal {
  return AbortSignal.timeout(SMALL_CALL_MS + Math.ceil((sizeBytes / BYTES_PER_SECOND) * 1_000))
}
