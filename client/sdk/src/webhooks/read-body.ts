import { joinBytes } from '../bytes.ts'

/** A refusal before the receiver gets the body. */
export interface Unread {
  readonly status: 400 | 413
  readonly text: string
}

/** The chunks of a body, like those of an async iterator. */
export interface Chunks {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>
}

const MAX_BODY_BYTES = 16 << 20

export function bodyLimitOf(maxBodyBytes: number = MAX_BODY_BYTES): number {
  if (Number.isSafeInteger(maxBodyBytes) && maxBodyBytes > 0) return maxBodyBytes
  throw new TypeError(`maxBodyBytes must be a whole number of bytes, at least 1, not ${maxBodyBytes}`)
}

/**
 * The whole body, up to the limit. An announced length above the limit is refused without reading; a smaller one is not
 * trusted, and the received bytes are counted.
 */
export async function readBody(
  chunks: Chunks,
  announcedBytes: unknown,
  limit: number,
): Promise<{ readonly body: Uint8Array } | { readonly refusal: Unread }> {
  if (isLength(announcedBytes) && Number(announcedBytes) > limit) return tooLarge(limit)
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (let part = await chunks.next(); part.done !== true; part = await chunks.next()) {
      const bytes = bytesOf(part.value)
      length += bytes.length
      if (length > limit) return tooLarge(limit)
      parts.push(bytes)
    }
  } catch {
    // The sender has closed the connection; this answer is not received.
    return { refusal: { status: 400, text: 'the body is incomplete' } }
  }
  return { body: joinBytes(parts, length) }
}

/** Reads and discards the rest up to the limit; false when there is more. */
export async function discardRest(chunks: Chunks, limit: number): Promise<boolean> {
  let left = limit
  for (let part = await chunks.next(); part.done !== true; part = await chunks.next()) {
    left -= bytesOf(part.value).length
    if (left < 0) return false
  }
  return true
}

function tooLarge(limit: number): { readonly refusal: Unread } {
  return { refusal: { status: 413, text: `the body is larger than ${limit} bytes` } }
}

function isLength(announced: unknown): announced is string {
  return typeof announced === 'string' && /^\d+$/.test(announced)
}

function bytesOf(part: unknown): Uint8Array {
  return part instanceof Uint8Array ? part : new TextEncoder().encode(String(part))
}
