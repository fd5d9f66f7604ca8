import { haveDuplicates, isEntryName } from './entry-name.ts'
import type { ArchiveLimits } from './entry.ts'
import { CENTRAL, END, ENCRYPTION_FLAGS, FLAGS, KNOWN_FLAGS, MEANINGFUL_EXTRA, METHODS } from './records.ts'
import { ArchiveRefused } from './refusal.ts'

/** An entry as the central directory states it. */
export interface Listed {
  readonly name: string
  readonly rawName: Buffer
  readonly isFolder: boolean
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  /** Of its local header. */
  readonly offset: number
}

export interface Directory {
  readonly entries: readonly Listed[]
  /** Where it begins, and the data of entries ends. */
  readonly start: number
}

/** The entries of an archive; the directory ends with the file, so that there is only one. */
export function readDirectory(data: Buffer, limits: ArchiveLimits): Directory {
  const end = data.length - END.length
  if (end < 0 || data.readUInt32LE(end) !== END.signature) {
    const isZip = data.length >= 4 && data.toString('latin1', 0, 2) === 'PK'
    throw new ArchiveRefused(isZip ? 'damaged' : 'not_zip', 'the file does not end with a directory')
  }
  const count = data.readUInt16LE(end + 10)
  const size = data.readUInt32LE(end + 12)
  const start = data.readUInt32LE(end + 16)
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff)
    throw new ArchiveRefused('unsupported', 'the directory is that of zip64')
  if (data.readUInt32LE(end + 4) !== 0 || data.readUInt16LE(end + 8) !== count)
    throw new ArchiveRefused('unsupported', 'the archive has several parts')
  if (data.readUInt16LE(end + 20) !== 0) throw new ArchiveRefused('unsupported', 'the archive has a comment')
  if (start + size !== end) throw new ArchiveRefused('damaged', 'the directory is not before its end')
  if (count > limits.maxEntries) throw new ArchiveRefused('too_many_entries', `${count} entries`)
  const entries = readEntries(data.subarray(start, end), count)
  checkTogether(entries, limits)
  return { entries, start }
}

function readEntries(directory: Buffer, count: number): readonly Listed[] {
  const entries: Listed[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    if (at + CENTRAL.length > directory.length || directory.readUInt32LE(at) !== CENTRAL.signature)
      throw new ArchiveRefused('damaged', 'the directory has fewer entries than it says')
    const nameEnd = at + CENTRAL.length + directory.readUInt16LE(at + 28)
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
    const next = extraEnd + directory.readUInt16LE(at + 32)
    if (next > directory.length) throw new ArchiveRefused('damaged', 'an entry leaves the directory')
    checkExtra(directory.subarray(nameEnd, extraEnd))
    entries.push(readEntry(directory.subarray(at, nameEnd)))
    at = next
  }
  if (at !== directory.length) throw new ArchiveRefused('damaged', 'the directory has more entries than it says')
  return entries
}

function readEntry(record: Buffer): Listed {
  const flags = record.readUInt16LE(8)
  const method = record.readUInt16LE(10)
  const [packedSize, size, offset] = [record.readUInt32LE(20), record.readUInt32LE(24), record.readUInt32LE(42)]
  if ((flags & ENCRYPTION_FLAGS) !== 0) throw new ArchiveRefused('encrypted', 'an entry is encrypted')
  if ((flags & ~KNOWN_FLAGS) !== 0) throw new ArchiveRefused('unsupported', `flags ${flags}`)
  if (method !== METHODS.stored && method !== METHODS.deflated)
    throw new ArchiveRefused('unsupported', `method ${method}`)
  if ([packedSize, size, offset].includes(0xffffffff) || record.readUInt16LE(34) !== 0)
    throw new ArchiveRefused('unsupported', 'an entry is that of zip64, or of another part')
  const rawName = record.subarray(CENTRAL.length)
  const { name, isFolder } = readName(rawName, (flags & FLAGS.utf8) !== 0)
  checkMode(record.readUInt32LE(38), isFolder)
  if ((method === METHODS.stored && packedSize !== size) || (isFolder && size !== 0))
    throw new ArchiveRefused('damaged', 'the sizes of an entry contradict each other')
  return { name, rawName, isFolder, flags, method, crc: record.readUInt32LE(16), packedSize, size, offset }
}

/** Names are UTF-8 and say so, or ASCII; the names of folders end with a slash. */
function readName(raw: Buffer, isMarked: boolean): { readonly name: string; readonly isFolder: boolean } {
  const text = raw.toString('utf8')
  const isAscii = raw.every((byte) => byte < 0x80)
  const isFolder = text.endsWith('/')
  const name = isFolder ? text.slice(0, -1) : text
  if (!Buffer.from(text, 'utf8').equals(raw) || (!isAscii && !isMarked) || !isEntryName(name))
    throw new ArchiveRefused('name_invalid', 'an entry has a name that is not allowed')
  return { name, isFolder }
}

const TYPE_BITS = 0xf000
const REGULAR = 0x8000
const FOLDER = 0x4000

/** The upper half is the mode of Unix, or zero. */
function checkMode(attributes: number, isFolder: boolean): void {
  const type = (attributes >>> 16) & TYPE_BITS
  if (type !== 0 && type !== (isFolder ? FOLDER : REGULAR))
    throw new ArchiveRefused('link', 'an entry is neither a file nor a folder')
}

/** Well formed, and without fields that change what the entry means. */
export function checkExtra(extra: Buffer): void {
  let at = 0
  while (at < extra.length) {
    const end = at + 4 <= extra.length ? at + 4 + extra.readUInt16LE(at + 2) : Infinity
    if (end > extra.length) throw new ArchiveRefused('damaged', 'an extra field leaves its entry')
    if (MEANINGFUL_EXTRA.has(extra.readUInt16LE(at)))
      throw new ArchiveRefused('unsupported', 'an extra field changes the meaning of an entry')
    at = end
  }
}

const MAX_RATIO = 200
/** Small files may be as repetitive as they like. */
const FREE_BYTES = 1_048_576

function checkTogether(entries: readonly Listed[], limits: ArchiveLimits): void {
  let total = 0
  for (const { size, packedSize } of entries) {
    total += size
    if (size > limits.maxEntryBytes || total > limits.maxTotalBytes)
      throw new ArchiveRefused('too_large', 'the unpacked files are too large')
    if (size > FREE_BYTES && size > packedSize * MAX_RATIO)
      throw new ArchiveRefused('bomb', 'a file is packed too well')
  }
  const files = entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name)
  const folders = entries.filter(({ isFolder }) => isFolder).map(({ name }) => name.toLowerCase())
  const named = new Set(files.map((name) => name.toLowerCase()))
  if (haveDuplicates(files) || new Set(folders).size < folders.length || folders.some((name) => named.has(name)))
    throw new ArchiveRefused('name_duplicate', 'two entries have the same name')
}
