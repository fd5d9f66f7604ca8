import { crc32 } from 'node:zlib'
import { haveDuplicates, isEntryName } from './entry-name.ts'
import type { ArchiveEntry } from './entry.ts'
import { CENTRAL, END, FLAGS, LOCAL, METHODS } from './records.ts'

const VERSION = 20
/** 1 January 1980, the first day of the format. */
const DATE = 0x21
const MAX_BYTES = 0xffff_fffe
const MAX_ENTRIES = 0xfffe

/**
 * A zip archive that depends on names and contents only: entries are sorted, have no time, and are stored, because other
 * versions of a compressor write other bytes. What is exported is mostly compressed already.
 */
export function writeArchive(entries: readonly ArchiveEntry[]): Uint8Array<ArrayBuffer> {
  const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const names = sorted.map(({ name }) => name)
  if (!names.every(isEntryName) || haveDuplicates(names)) throw new Error('a file of the archive has no valid name')
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of sorted) {
    const fields = fieldsOf(name, bytes)
    const head = Buffer.concat([record(LOCAL.signature), fields, Buffer.from(name, 'utf8')])
    local.push(head, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    central.push(centralRecord(fields, name, offset))
    offset += head.length + bytes.length
  }
  if (offset > MAX_BYTES || sorted.length > MAX_ENTRIES) throw new Error('the archive is too large')
  return Uint8Array.from(Buffer.concat([...local, ...central, endRecord(central, offset)]))
}

function record(signature: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(signature)
  return bytes
}

/** What a local header and the directory both state, from the version to the length of the extra fields. */
function fieldsOf(name: string, bytes: Uint8Array): Buffer {
  const fields = Buffer.alloc(LOCAL.length - 4)
  fields.writeUInt16LE(VERSION, 0)
  fields.writeUInt16LE(FLAGS.utf8, 2)
  fields.writeUInt16LE(METHODS.stored, 4)
  fields.writeUInt16LE(DATE, 8)
  fields.writeUInt32LE(crc32(bytes), 10)
  fields.writeUInt32LE(bytes.length, 14)
  fields.writeUInt32LE(bytes.length, 18)
  fields.writeUInt16LE(Buffer.byteLength(name), 22)
  return fields
}

function centralRecord(fields: Buffer, name: string, offset: number): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt32LE(CENTRAL.signature)
  head.writeUInt16LE(VERSION, 4)
  const tail = Buffer.alloc(CENTRAL.length - head.length - fields.length)
  tail.writeUInt32LE(offset, tail.length - 4)
  return Buffer.concat([head, fields, tail, Buffer.from(name, 'utf8')])
}

function endRecord(central: readonly Buffer[], start: number): Buffer {
  const end = Buffer.alloc(END.length)
  end.writeUInt32LE(END.signature)
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(
    central.reduce((sum, { length }) => sum + length, 0),
    12,
  )
  end.writeUInt32LE(start, 16)
  return end
}
