import { checkExtra, type Directory, type Listed } from './directory.ts'
import { DESCRIPTOR_SIGNATURE, FLAGS, LOCAL } from './records.ts'
import { ArchiveRefused } from './refusal.ts'

/** An entry and its packed data. */
export interface Packed {
  readonly listed: Listed
  readonly data: Buffer
}

/**
 * [Note: an archive without gaps] Programs disagree about whether the directory or the headers before the data count, so
 * both must say the same; and the entries must fill the file from its first byte to the directory, so that there is
 * neither hidden nor shared data. In the order of the directory.
 */
export function readLocalEntries(data: Buffer, { entries, start }: Directory): readonly Packed[] {
  const packed = new Map<Listed, Packed>()
  let at = 0
  for (const listed of entries.toSorted((one, other) => one.offset - other.offset)) {
    if (listed.offset !== at) throw new ArchiveRefused('damaged', 'entries overlap, or there is data between them')
    const dataStart = readHeader(data.subarray(0, start), listed)
    const dataEnd = dataStart + listed.packedSize
    if (dataEnd > start) throw new ArchiveRefused('damaged', 'an entry reaches into the directory')
    packed.set(listed, { listed, data: data.subarray(dataStart, dataEnd) })
    at = (listed.flags & FLAGS.descriptor) === 0 ? dataEnd : readDescriptor(data.subarray(0, start), dataEnd, listed)
  }
  if (at !== start) throw new ArchiveRefused('damaged', 'there is data before the directory')
  return entries.flatMap((listed) => packed.get(listed) ?? [])
}

/** Returns the place of the data. */
function readHeader(data: Buffer, listed: Listed): number {
  const at = listed.offset
  if (at + LOCAL.length > data.length || data.readUInt32LE(at) !== LOCAL.signature)
    throw new ArchiveRefused('damaged', 'an entry is not at its offset')
  const nameEnd = at + LOCAL.length + data.readUInt16LE(at + 26)
  const end = nameEnd + data.readUInt16LE(at + 28)
  if (end > data.length) throw new ArchiveRefused('damaged', 'an entry leaves the archive')
  checkExtra(data.subarray(nameEnd, end))
  const isSame =
    data.readUInt16LE(at + 6) === listed.flags &&
    data.readUInt16LE(at + 8) === listed.method &&
    data.subarray(at + LOCAL.length, nameEnd).equals(listed.rawName)
  if (!isSame || !hasSameSizes(data, at + 14, listed, (listed.flags & FLAGS.descriptor) !== 0))
    throw new ArchiveRefused('damaged', 'an entry contradicts the directory')
  return end
}

/** Checksum, packed size and size; zero before the data if they follow it. */
function hasSameSizes(data: Buffer, at: number, listed: Listed, mayBeZero: boolean): boolean {
  const stated = [data.readUInt32LE(at), data.readUInt32LE(at + 4), data.readUInt32LE(at + 8)]
  if (mayBeZero && stated.every((value) => value === 0)) return true
  return stated[0] === listed.crc && stated[1] === listed.packedSize && stated[2] === listed.size
}

/** The signature may be missing. Returns the end. */
function readDescriptor(data: Buffer, at: number, listed: Listed): number {
  for (const start of [at + 4, at]) {
    const isMarked = start === at || (start <= data.length && data.readUInt32LE(at) === DESCRIPTOR_SIGNATURE)
    if (isMarked && start + 12 <= data.length && hasSameSizes(data, start, listed, false)) return start + 12
  }
  throw new ArchiveRefused('damaged', 'the sizes after an entry contradict the directory')
}
