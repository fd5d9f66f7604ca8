import type { Attachments } from '@sealpost/bus'
import { describeFailure, type Egress } from '@sealpost/egress'
import { type Clock, type Random, Secret } from '@sealpost/kernel'
import {
  copyIn,
  type CopyInRefusal,
  type ObjectKey,
  type Objects,
  parseObjectKey,
  parseSha256,
  type Sha256,
} from '@sealpost/objects'
import type { Database } from '@sealpost/postgres'
import { announceObject, keepObject } from './modules/vault/index.ts'

export interface AttachmentNeeds {
  readonly objects: Objects
  readonly egress: Egress
  readonly random: Random
  readonly database: Database
  readonly clock: Clock
}

/** Long enough for a receiver that is busy, short enough that a leaked link is soon worth nothing; renewed at each send. */
const LINK_SECONDS = 300
const LARGEST_BYTES = 64 * 1024 * 1024

/**
 * What tells carry besides their body lies in this region's object store; the peer copies it from a link. A copy is
 * announced like every object that nothing refers to yet ([Note: objects and rows]), and the tell's transaction keeps it.
 */
export function objectAttachments(needs: AttachmentNeeds): Attachments {
  const { objects } = needs
  return {
    async presign(objectKey) {
      return (await objects.presignGet(readKey(objectKey), LINK_SECONDS)).reveal()
    },
    async copyIn(url, sha256) {
      const digest = readDigest(sha256)
      const copied = await copyIn(needs, new Secret(url), {
        key: await announceObject(needs),
        sha256: digest,
        maxBytes: LARGEST_BYTES,
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
  if (key === null) throw new Error('an attachment does not name an object of ours')
  return key
}

function readDigest(text: string): Sha256 {
  const digest = parseSha256(text)
  if (digest === null) throw new Error('an attachment has no readable digest')
  return digest
}

function reasonOf(refusal: CopyInRefusal): string {
  switch (refusal.kind) {
    case 'unanswered':
      return describeFailure(refusal.failure)
    case 'status':
      return `the sender's store answered ${refusal.status}`
    case 'too_large':
      return `it has more than ${LARGEST_BYTES} bytes`
    case 'damaged':
      return 'its bytes are not those that were announced'
  }
}
