import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { copyIn, objectKey, sha256Of } from '@sealpost/objects'
import { describe, expect, test } from 'vitest'
import { egressTo } from './copying.ts'
import { contentType, random, type Storage } from './storage.ts'

const MEBIBYTE = 1_048_576
const SIZE_BYTES = 64 * MEBIBYTE
const MOST_HELD_BYTES = 16 * MEBIBYTE
const CHUNKS_BETWEEN_LOOKS = 64
const sha256 = sha256Of(Buffer.alloc(SIZE_BYTES, 7))

export function describeLargeObjects(storage: () => Storage): void {
  describe('64 MiB are not held in memory', () => {
    const key = objectKey(random)

    test('when they are stored', async () => {
      const watched = watchMemory(sameChunk())
      const about = { contentType, sha256, sizeBytes: SIZE_BYTES }
      expect(await storage().objects.putStream(key, watched.chunks, about)).toMatchObject({ ok: true })
      expect(watched.mostHeldBytes()).toBeLessThan(MOST_HELD_BYTES)
    })

    test('when they are read', async () => {
      const opened = await storage().objects.open(key, sha256)
      if (!opened.ok) throw new Error(opened.refusal)
      const watched = watchMemory(opened.value.bytes)
      let seenBytes = 0
      for await (const chunk of watched.chunks) seenBytes += chunk.byteLength
      expect(seenBytes).toBe(SIZE_BYTES)
      expect(watched.mostHeldBytes()).toBeLessThan(MOST_HELD_BYTES)
    })

    test('when they are copied in', async () => {
      const { objects } = storage()
      let mostHeldBytes = 0
      const watching = {
        ...objects,
        async putStream(...[to, source, about]: Parameters<typeof objects.putStream>) {
          const watched = watchMemory(source)
          const stored = await objects.putStream(to, watched.chunks, about)
          mostHeldBytes = watched.mostHeldBytes()
          return stored
        },
      }
      const needs = { objects: watching, egress: egressTo(storage()), random }
      const expected = { sha256, maxBytes: SIZE_BYTES, contentType }
      expect(await copyIn(needs, await objects.presignGet(key, 60), expected)).toMatchObject({ ok: true })
      expect(mostHeldBytes).toBeLessThan(MOST_HELD_BYTES)
    })
  })
}

async function* sameChunk(): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(MEBIBYTE / 16, 7)
  for (let sent = 0; sent < SIZE_BYTES; sent += chunk.byteLength) yield chunk
}

interface Watched {
  readonly chunks: AsyncIterable<Uint8Array>
  mostHeldBytes(): number
}

/** How many bytes of buffers are alive, beyond those at the start, while the chunks go by. */
function watchMemory(source: AsyncIterable<Uint8Array>): Watched {
  const before = heldBytes()
  let most = 0
  async function* watched(): AsyncGenerator<Uint8Array> {
    let seen = 0
    for await (const chunk of source) {
      if (seen % CHUNKS_BETWEEN_LOOKS === 0) most = Math.max(most, heldBytes() - before)
      seen += 1
      yield chunk
    }
  }
  return { chunks: watched(), mostHeldBytes: () => most }
}

/** Garbage is collected first: it is not held, only not yet swept. */
function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

setFlagsFromString('--expose-gc')
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the flag above makes this global a function
const collectGarbage = runInNewContext('gc') as () => void
