import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256Of } from './sha256.ts'
import { verified, type Expected } from './verified.ts'

async function* each(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

/** The bytes a reader got, and whether the stream ended. */
async function read(chunks: readonly Uint8Array[], expected: Expected): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const got: Uint8Array[] = []
  try {
    for await (const chunk of verified(each(chunks), expected)) got.push(chunk)
    return { bytes: Buffer.concat(got), isWhole: true }
  } catch {
    return { bytes: Buffer.concat(got), isWhole: false }
  }
}

const anyChunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 10 })

test('correct bytes arrive completely, in any chunks', async () => {
  await fc.assert(
    fc.asyncProperty(anyChunks, async (chunks) => {
      const bytes = Buffer.concat(chunks)
      const expected = { sizeBytes: bytes.byteLength, sha256: sha256Of(bytes) }
      expect(await read(chunks, expected)).toEqual({ bytes, isWhole: true })
    }),
  )
})

test('a reader of wrong bytes never gets all of the announced length', async () => {
  await fc.assert(
    fc.asyncProperty(anyChunks, fc.uint8Array({ maxLength: 200 }), async (chunks, other) => {
      fc.pre(!Buffer.concat(chunks).equals(other))
      const expected = { sizeBytes: other.byteLength, sha256: sha256Of(other) }
      const { bytes, isWhole } = await read(chunks, expected)
      expect(isWhole).toBe(false)
      expect(bytes.byteLength === 0 || bytes.byteLength < other.byteLength).toBe(true)
    }),
  )
})
