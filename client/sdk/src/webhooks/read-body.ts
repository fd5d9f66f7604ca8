/** Refused before the receiver sees it. */
export interface Unread {
  readonly status: 400 | 413
  readonly text: string
}

/** Parts of a body as they come. */
export interface Chunks {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>
}

const MAX_BODY_BYTES = 16 << 20

export function bodyLimitOf(maxBodyBytes: number = MAX_BODY_BYTES): number {
  if (Number.isSafeInteger(maxBodyBytes) && maxBodyBytes > 0) return maxBodyBytes
  throw new TypeError(`maxBodyBytes must be a whole number of bytes, at least 1, not ${maxBodyBytes}`)
}

/**
 * The whole body, if it is no larger than that. A length that is announced and too much is believed, so that nothing is
 * read; otherwise only what comes counts, because a stranger announces what he likes.
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
    // The sender has gone, and nobody reads this answer.
    return { refusal: { status: 400, text: 'the body did not come whole' } }
  }
  return { body: join(parts, length) }
}

/** Reads and drops so much of what is left; false when there is more. */
export async function dropRest(chunks: Chunks, limit: number): Promise<boolean> {
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

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
