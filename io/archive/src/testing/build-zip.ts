import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of an archive that says what a test wants it to say. */
export interface ZipEntry {
  readonly name: string | Buffer
  readonly content?: Uint8Array | string
  readonly isPacked?: boolean
  /** The packed data, if it is not that of the content. */
  readonly data?: Uint8Array
  readonly flags?: number
  readonly method?: number
  readonly crc?: number
  readonly size?: number
  readonly packedSize?: number
  readonly attributes?: number
  readonly extra?: Buffer
  readonly offset?: number
  /** What follows the data. */
  readonly after?: Buffer
  /** What the header before the data says instead. */
  readonly local?: Partial<Omit<ZipEntry, 'local'>>
  /** Not before the data, or not in the directory. */
  readonly isOnly?: 'local' | 'listed'
}

export interface ZipWish {
  readonly before?: Buffer
  readonly after?: Buffer
  /** Between the data and the directory. */
  readonly between?: Buffer
  readonly comment?: string
  readonly count?: number
  readonly countHere?: number
  readonly directorySize?: number
  readonly directoryOffset?: number
  readonly disk?: number
}

/** An archive, right or wrong. */
export function buildZip(entries: readonly ZipEntry[], wish: ZipWish = {}): Buffer {
  const parts: Buffer[] = [wish.before ?? Buffer.alloc(0)]
  const listed: Buffer[] = []
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0)
  for (const entry of entries) {
    const offset = length()
    if (entry.isOnly !== 'listed')
      parts.push(localOf({ ...entry, ...entry.local }), dataOf(entry), entry.after ?? Buffer.alloc(0))
    if (entry.isOnly !== 'local') listed.push(centralOf({ offset, ...entry }))
  }
  parts.push(wish.between ?? Buffer.alloc(0))
  const directory = Buffer.concat(listed)
  const end = endOf(listed.length, directory.length, length(), wish)
  return Buffer.concat([...parts, directory, end, wish.after ?? Buffer.alloc(0)])
}

const contentOf = ({ content = 'content' }: ZipEntry): Buffer => Buffer.from(content)

function dataOf(entry: ZipEntry): Buffer {
  if (entry.data !== undefined) return Buffer.from(entry.data)
  return entry.isPacked === true ? deflateRawSync(contentOf(entry)) : contentOf(entry)
}

/** From the flags to the length of the extra fields. */
function fieldsOf(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name)
  const fields = Buffer.alloc(24)
  fields.writeUInt16LE(entry.flags ?? 0, 0)
  fields.writeUInt16LE(entry.method ?? (entry.isPacked === true ? 8 : 0), 2)
  fields.writeUInt32LE(entry.crc ?? crc32(contentOf(entry)), 8)
  fields.writeUInt32LE(entry.packedSize ?? dataOf(entry).length, 12)
  fields.writeUInt32LE(entry.size ?? contentOf(entry).length, 16)
  fields.writeUInt16LE(name.length, 20)
  fields.writeUInt16LE(entry.extra?.length ?? 0, 22)
  return fields
}

function localOf(entry: ZipEntry): Buffer {
  const head = Buffer.from('PK\u{3}\u{4}\u{14}\u{0}', 'latin1')
  return Buffer.concat([head, fieldsOf(entry), Buffer.from(entry.name), entry.extra ?? Buffer.alloc(0)])
}

function centralOf(entry: ZipEntry): Buffer {
  const head = Buffer.from('PK\u{1}\u{2}\u{14}\u{3}\u{14}\u{0}', 'latin1')
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(entry.attributes ?? 0, 6)
  tail.writeUInt32LE(entry.offset ?? 0, 10)
  return Buffer.concat([head, fieldsOf(entry), tail, Buffer.from(entry.name), entry.extra ?? Buffer.alloc(0)])
}

function endOf(count: number, size: number, start: number, wish: ZipWish): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\u{5}\u{6}', 'latin1')
  end.writeUInt16LE(wish.disk ?? 0, 4)
  end.writeUInt16LE(wish.countHere ?? wish.count ?? count, 8)
  end.writeUInt16LE(wish.count ?? count, 10)
  end.writeUInt32LE(wish.directorySize ?? size, 12)
  end.writeUInt32LE(wish.directoryOffset ?? start, 16)
  const comment = Buffer.from(wish.comment ?? '')
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([end, comment])
}

/** Checksum and sizes after the data, with or without their signature. */
export function descriptorOf(content: Buffer, packedSize: number, isMarked: boolean): Buffer {
  const fields = Buffer.alloc(16)
  fields.write('PK\u{7}\u{8}', 'latin1')
  fields.writeUInt32LE(crc32(content), 4)
  fields.writeUInt32LE(packedSize, 8)
  fields.writeUInt32LE(content.length, 12)
  return isMarked ? fields : fields.subarray(4)
}

/** An extra field. */
export function extraOf(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}
