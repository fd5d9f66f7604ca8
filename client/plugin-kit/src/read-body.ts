import { joinBytes } from '@sealpost/crypto'

/** A sender of more than this many times the limit gets no answer that it reads. */
const MOST_DROPPED = 16

/** The whole body; null when it is larger than the limit. The rest is read and dropped, so that the answer arrives. */
export async function readBody(
  chunks: AsyncIterator<unknown>,
  limit: number,
): Promise<{ readonly body: Uint8Array } | null> {
  const parts: Uint8Array[] = []
  let length = 0
  for (let part = await chunks.next(); part.done !== true; part = await chunks.next()) {
    const bytes = part.value instanceof Uint8Array ? part.value : new TextEncoder().encode(String(part.value))
    length += bytes.length
    if (length <= limit) parts.push(bytes)
    else if (length > limit * MOST_DROPPED) return null
  }
  return length > limit ? null : { body: joinBytes(parts) }
}
