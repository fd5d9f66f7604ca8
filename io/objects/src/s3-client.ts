import { S3Client } from '@aws-sdk/client-s3'
import type { ObjectsPlace } from './settings.ts'

/** How long the server may take; every call also has a total limit that follows from its size. */
export interface Patience {
  readonly connectMs: number
  /** Without a byte in either direction. */
  readonly silenceMs: number
  readonly attempts: number
}

const PATIENCE: Patience = { connectMs: 3_000, silenceMs: 10_000, attempts: 3 }
const SOCKETS = 64
/** Without a logger the SDK writes to the console what it also throws. */
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
/** The slowest transfer that is waited for. */
const BYTES_PER_SECOND = 262_144
const SMALL_ACT_MS = 30_000

export function createS3Client(place: ObjectsPlace, endpoint: string, patience: Partial<Patience>): S3Client {
  const { connectMs, silenceMs, attempts } = { ...PATIENCE, ...patience }
  return new S3Client({
    endpoint,
    region: place.region,
    forcePathStyle: place.forcePathStyle,
    credentials: { accessKeyId: place.accessKeyId, secretAccessKey: place.secretAccessKey.reveal() },
    // The SDK's own checksums arrive as a trailer that several servers refuse, and others ignore when wrong.
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

/** Ends a call, its retries included, also when the server sends just enough to look alive. */
export function deadline(sizeBytes = 0): AbortSignal {
  return AbortSignal.timeout(SMALL_ACT_MS + Math.ceil((sizeBytes / BYTES_PER_SECOND) * 1_000))
}
