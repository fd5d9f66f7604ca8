import { type Attachments, LARGEST_BODY_BYTES } from '@sealpost/bus'
import { describeFailure } from '@sealpost/egress'
import { Secret } from '@sealpost/kernel'
import {
  copyIn,
  type CopyInRefusal,
  type ObjectKey,
  parseObjectKey,
  parseSha256,
  type Sha256,
  sha256Of,
} from '@sealpost/objects'
import { announceObject, keepObject } from '../modules/vault/index.ts'
import type { Platform } from './module.ts'

/** Long enough for a busy receiver, short enough that a leaked link soon expires; renewed at each send. */
const LINK_SECONDS = 300
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Attachments of tells are in this region's object store; the receiving region copies them from a link. A copy is
 * announced like every object without a reference ([Note: objects and rows]), and the tell's transaction keeps it.
 */
export function objectAttachments(
  platform: Pick<Platform, 'objects' | 'egress' | 'random' | 'database' | 'clock'>,
): Attachments {
  const { objects } = platform
  return {
    async presign(objectKey) {
      return (await objects.presignGet(readKey(objectKey), LINK_SECONDS)).reveal()
    },
    async has(objectKey) {
      return (await objects.head(readKey(objectKey))).ok
    },
    async copyIn(url, sha256) {
      const digest = readDigest(sha256)
      const copied = await copyIn(platform, new Secret(url), {
        key: await announceObject(platform),
        sha256: digest,
        maxBytes: MAX_BYTES,
        contentType: 'application/octet-stream',
      })
      if (copied.ok) return copied.value.key
      throw new Error(`an attachment could not be copied: ${reasonOf(copied.refusal)}`)
    },
    keep: (tx, objectKey) => keepObject(tx, readKey(objectKey)),
    remove: (objectKey) => objects.erase(readKey(objectKey)),
    async store(bytes) {
      const key = await announceObject(platform)
      const stored = await objects.put(key, bytes, { contentType: 'application/json' })
      if (!stored.ok) throw new Error('the stored object differs from the body of the message')
      return key
    },
    fetch: (url, expected) => fetchBody(platform, url, expected),
  }
}

const CONNECT_MS = 5_000
const TOTAL_MS = 25_000

async function fetchBody(
  { egress }: Pick<Platform, 'egress'>,
  url: string,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
): Promise<Uint8Array> {
  const maxResponseBytes = Math.min(bytes, LARGEST_BODY_BYTES)
  const times = { connectTimeoutMs: CONNECT_MS, totalTimeoutMs: TOTAL_MS }
  const answered = await egress.send({ method: 'GET', url, ...times, maxResponseBytes })
  if (!answered.ok) throw new Error(`a large body could not be read: ${describeFailure(answered.refusal)}`)
  const { status, body } = answered.value
  if (status !== 200) throw new Error(`a large body could not be read: the sender's store answered ${status}`)
  if (body.length !== bytes || sha256Of(body) !== sha256) throw new Error('a large body is not the announced one')
  return body
}

function readKey(text: string): ObjectKey {
  const key = parseObjectKey(text)
  if (key === null) throw new Error('invalid object key of an attachment')
  return key
}

function readDigest(text: string): Sha256 {
  const digest = parseSha256(text)
  if (digest === null) throw new Error('invalid digest of an attachment')
  return digest
}

function reasonOf(refusal: CopyInRefusal): string {
  switch (refusal.kind) {
    case 'unanswered':
      return describeFailure(refusal.failure)
    case 'status':
      return `the sender's store answered ${refusal.status}`
    case 'too_large':
      return `it has more than ${MAX_BYTES} bytes`
    case 'damaged':
      return 'its bytes are not those that were announced'
  }
}
