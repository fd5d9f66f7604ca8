import { createHash } from 'node:crypto'
import type { BusContext } from './context.ts'
import { FORWARDER_BODY_BYTES, INLINE_BODY_BYTES, LARGEST_BODY_BYTES } from './contracts.ts'
import { FORWARDER, type Link } from './parties.ts'

/**
 * [Note: bodies over the limit] A body over 256 KiB is stored in the sender's object store, and the message carries a link that is
 * valid for some minutes, with the size and the digest. The receiver reads it before its transaction begins. Nothing owns
 * the object: its store deletes it after about an hour.
 */
export interface LinkedBody {
  readonly url: string
  /** Lower-case hex. */
  readonly sha256: string
  readonly bytes: number
}

type Storing = Pick<BusContext, 'attachments'>

export interface StoredBody {
  readonly objectKey: string
  readonly sha256: string
  readonly bytes: number
}

export function inlineBytes({ source }: Pick<Link, 'source'>): number {
  return source === FORWARDER ? FORWARDER_BODY_BYTES : INLINE_BODY_BYTES
}

export function isLarge(body: string, limitBytes = INLINE_BODY_BYTES): boolean {
  // UTF-8 needs at least as many bytes as the text has code units, and at most three times as many.
  if (body.length > limitBytes) return true
  return body.length * 3 > limitBytes && Buffer.byteLength(body) > limitBytes
}

/** Refuses a body that could never be sent. */
export function requireSendable(
  { attachments }: Storing,
  what: string,
  body: string,
  limitBytes = INLINE_BODY_BYTES,
): void {
  if (!isLarge(body, limitBytes)) return
  const bytes = Buffer.byteLength(body)
  if (bytes > LARGEST_BODY_BYTES)
    throw new Error(`the body of ${what} has ${bytes} bytes, more than ${LARGEST_BODY_BYTES}`)
  if (attachments === null)
    throw new Error(
      `the body of ${what} has ${bytes} bytes, more than ${limitBytes}, and openBus was given no object store`,
    )
}

export async function storeBody({ attachments }: Storing, body: string): Promise<StoredBody> {
  const bytes = Buffer.from(body)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { objectKey: await storeOf(attachments).store(bytes), sha256, bytes: bytes.length }
}

export async function linkTo({ attachments }: Storing, { objectKey, sha256, bytes }: StoredBody): Promise<LinkedBody> {
  return { url: await storeOf(attachments).presign(objectKey), sha256, bytes }
}

export async function readLinked({ attachments }: Storing, { url, sha256, bytes }: LinkedBody): Promise<string> {
  if (bytes > LARGEST_BODY_BYTES) throw new Error(`a body of ${bytes} bytes was announced`)
  return new TextDecoder('utf-8', { fatal: true }).decode(await storeOf(attachments).fetch(url, { sha256, bytes }))
}

function storeOf(attachments: BusContext['attachments']): NonNullable<BusContext['attachments']> {
  if (attachments === null) throw new Error('a message has a large body, but openBus was given no object store')
  return attachments
}
