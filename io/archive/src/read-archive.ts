import { crc32, inflateRaw } from 'node:zlib'
import { accept, announceSlowCall, decline, type Result } from '@sealpost/kernel'
import { readDirectory } from './directory.ts'
import { ARCHIVE_LIMITS, type ArchiveEntry, type ArchiveLimits } from './entry.ts'
import { type Packed, readLocalEntries } from './local-entries.ts'
import { METHODS } from './records.ts'
import { ArchiveRefused, type ArchiveRefusal } from './refusal.ts'

/**
 * The files of a zip archive, in the order of its directory; or why it is refused. Folders are left out. Nothing is
 * unpacked before the whole archive was checked, and no file beyond the size that it states.
 */
export async function readArchive(
  bytes: Uint8Array,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<Result<readonly ArchiveEntry[], ArchiveRefusal>> {
  announceSlowCall('unpacking an archive')
  try {
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const packed = readLocalEntries(data, readDirectory(data, limits))
    const entries: ArchiveEntry[] = []
    // One after the other: a small file may take as much memory as it states.
    for (const one of packed) {
      const unpacked = await unpack(one)
      if (!one.listed.isFolder) entries.push({ name: one.listed.name, bytes: unpacked })
    }
    return accept(entries)
  } catch (error) {
    if (error instanceof ArchiveRefused) return decline(error.refusal)
    throw error
  }
}

async function unpack({ listed, data }: Packed): Promise<Uint8Array> {
  const bytes = listed.method === METHODS.stored ? Uint8Array.from(data) : await inflate(data, listed.size)
  if (bytes.length !== listed.size || crc32(bytes) !== listed.crc)
    throw new ArchiveRefused('damaged', 'a file is not the one that the directory states')
  return bytes
}

/** All of the data, and no more than the size. */
async function inflate(data: Buffer, size: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const refuse = (detail: string): void => reject(new ArchiveRefused('damaged', detail))
  // A limit of zero would mean none.
  inflateRaw(data, { maxOutputLength: Math.max(1, size), info: true }, (error, result: unknown) => {
    if (error !== null || !hasEngine(result)) refuse('compressed data is not valid, or longer than stated')
    else if (result.engine.bytesWritten !== data.length) refuse('there is data after the compressed data')
    else resolve(Uint8Array.from(result.buffer))
  })
  return promise
}

/** With `info` the result is both, which its type does not say. */
function hasEngine(value: unknown): value is { readonly buffer: Buffer; readonly engine: Inflate } {
  return (
    isObject(value) && 'buffer' in value && Buffer.isBuffer(value.buffer) && 'engine' in value && isEngine(value.engine)
  )
}

interface Inflate {
  readonly bytesWritten: number
}

function isEngine(value: unknown): value is Inflate {
  return isObject(value) && 'bytesWritten' in value && typeof value.bytesWritten === 'number'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
