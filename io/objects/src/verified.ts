import { startSha256, type Sha256 } from './sha256.ts'
import { DamagedObjectError } from './storage-error.ts'

export interface Expected {
  readonly sizeBytes: number
  readonly sha256: Sha256
}

/**
 * Passes bytes on as they arrive and checks the digest before the last of them: a reader that reaches the end has the
 * correct bytes, and an upload of wrong ones stays incomplete, so that the server stores nothing.
 */
export async function* verified(source: AsyncIterable<Uint8Array>, expected: Expected): AsyncGenerator<Uint8Array> {
  const hash = startSha256()
  let seenBytes = 0
  if (expected.sizeBytes === 0) requireDigest(hash.end(), expected.sha256)
  for await (const chunk of source) {
    if (chunk.byteLength === 0) continue
    seenBytes += chunk.byteLength
    if (seenBytes > expected.sizeBytes) throw new DamagedObjectError(`more than ${expected.sizeBytes} bytes`)
    hash.update(chunk)
    if (seenBytes === expected.sizeBytes) requireDigest(hash.end(), expected.sha256)
    yield chunk
  }
  if (seenBytes < expected.sizeBytes) throw new DamagedObjectError(`${seenBytes} of ${expected.sizeBytes} bytes`)
}

function requireDigest(actual: Sha256, expected: Sha256): void {
  if (actual !== expected) throw new DamagedObjectError(`SHA-256 is ${actual}, not ${expected}`)
}
