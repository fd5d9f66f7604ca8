import type { Attachments } from '@sealpost/bus'
import { describeFailure } from '@sealpost/egress'
import { Secret } from '@sealpost/kernel'
import { copyIn, type CopyInRefusal, type ObjectKey, parseObjectKey, parseSha256, type Sha256 } from '@sealpost/objects'
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
    remove: (objectKey) => objects.remove(readKey(objectKey)),
  }
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
