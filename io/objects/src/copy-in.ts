import type { Egress, EgressFailure, StreamedResponse } from '@sealpost/egress'
import { accept, decline, type Random, type Result, type Secret } from '@sealpost/kernel'
import { objectKey, type ObjectKey } from './object-key.ts'
import type { Objects } from './objects.ts'
import type { Sha256 } from './sha256.ts'

export interface CopyInContext {
  readonly objects: Objects
  readonly egress: Egress
  readonly random: Random
}

export interface CopyInExpectation {
  /** The key of the copy; a new one by default. */
  readonly key?: ObjectKey
  readonly sha256: Sha256
  readonly maxBytes: number
  readonly contentType: string
}

export interface CopiedObject {
  readonly key: ObjectKey
  readonly sizeBytes: number
}

export type CopyInRefusal =
  | { readonly kind: 'unanswered'; readonly failure: EgressFailure }
  /** Expired or withdrawn: ask the sender for a new URL. */
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'damaged' }

const CONNECT_MS = 5_000
const TOTAL_MS = 120_000

/** Copies an object of another region, from its presigned URL, into our own bucket under a key of our own. */
export async function copyIn(
  context: CopyInContext,
  url: Secret<string>,
  expected: CopyInExpectation,
): Promise<Result<CopiedObject, CopyInRefusal>> {
  const request = {
    method: 'GET',
    url: url.reveal(),
    connectTimeoutMs: CONNECT_MS,
    totalTimeoutMs: TOTAL_MS,
    maxResponseBytes: expected.maxBytes,
  } as const
  const outcome = await context.egress.stream(request, (response) => store(context, response, expected))
  if (outcome.ok) return outcome.value
  return outcome.refusal.kind === 'too_large'
    ? decline({ kind: 'too_large' })
    : decline({ kind: 'unanswered', failure: outcome.refusal })
}

async function store(
  { objects, random }: CopyInContext,
  { status, headers, body }: StreamedResponse,
  { sha256, maxBytes, contentType, ...given }: CopyInExpectation,
): Promise<Result<CopiedObject, CopyInRefusal>> {
  if (status !== 200) return decline({ kind: 'status', status })
  // S3 always sends the length of an object; the upload requires it too.
  const sizeBytes = Number(headers['content-length'] ?? Number.NaN)
  if (!Number.isSafeInteger(sizeBytes)) return decline({ kind: 'damaged' })
  if (sizeBytes > maxBytes) return decline({ kind: 'too_large' })
  const key = given.key ?? objectKey(random)
  const stored = await objects.putStream(key, body, { contentType, sha256, sizeBytes })
  return stored.ok ? accept({ key, sizeBytes }) : decline({ kind: 'damaged' })
}
