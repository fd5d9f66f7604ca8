import { crc32, deflateRawSync } from 'node:zlib'
import type { ArchiveRefusal } from '../refusal.ts'
import { buildZip, descriptorOf, extraOf, type ZipEntry, type ZipWish } from './build-zip.ts'

/** An archive that must be refused, and why. */
export interface HostileArchive {
  readonly name: string
  readonly refusal: ArchiveRefusal
  readonly bytes: Uint8Array
}

const MB = 1_048_576
const flow: ZipEntry = { name: 'flow.json', content: '{}' }
const one = (entry: Partial<ZipEntry>, wish?: ZipWish): Buffer => buildZip([{ ...flow, ...entry }], wish)
const hostile = (name: string, refusal: ArchiveRefusal, bytes: Uint8Array): HostileArchive => ({ name, refusal, bytes })
const zip64 = extraOf(1, Buffer.alloc(16))

export function hostileArchives(): readonly HostileArchive[] {
  return [...bombs(), ...names(), ...features(), ...structures(), ...contradictions()]
}

function bombs(): readonly HostileArchive[] {
  const zeros = Buffer.alloc(20 * MB)
  const packed = deflateRawSync(zeros)
  const bomb: ZipEntry = { name: 'a', method: 8, data: packed, size: zeros.length, crc: crc32(zeros), content: '' }
  const half = deflateRawSync(Buffer.alloc(2 * MB, 'x'))
  // One file, listed many times: the form of bombs that are not nested.
  const large: ZipEntry = { name: '0', content: Buffer.alloc(MB) }
  const shared = Array.from({ length: 200 }, (_, at): ZipEntry =>
    at === 0 ? large : { ...large, name: `${at}`, isOnly: 'listed', offset: 0 },
  )
  const stated = Array.from({ length: 6 }, (_, at): ZipEntry => ({ name: `${at}`, size: 25 * MB, packedSize: 25 * MB }))
  return [
    hostile('a bomb', 'bomb', buildZip([bomb])),
    hostile('a bomb that states a small size', 'damaged', buildZip([{ ...bomb, size: 100 }])),
    hostile('a bomb that states a plausible size', 'damaged', buildZip([{ ...bomb, data: half, size: MB }])),
    hostile('files that share their data', 'too_large', buildZip(shared)),
    hostile('a file of 26 MB', 'too_large', one({ size: 26 * MB, packedSize: 26 * MB })),
    hostile('six files of 25 MB', 'too_large', buildZip(stated)),
    hostile(
      'a thousand files',
      'too_many_entries',
      buildZip(Array.from({ length: 1_000 }, (_, at) => ({ name: `${at}` }))),
    ),
    hostile('65,535 stated files', 'unsupported', one({}, { count: 0xffff })),
  ]
}

function names(): readonly HostileArchive[] {
  const invalid = [
    '../flow.json',
    'assets/../../flow.json',
    '/etc/passwd',
    'C:/flow.json',
    '..\\flow.json',
    'assets\\a.pdf',
    'assets//a.pdf',
    './flow.json',
    'a/./b',
    '',
    'a\u{0}.json',
    'a\nb',
    'con',
    'assets/NUL.pdf',
    'flow.json.',
    'flow.json ',
    'x'.repeat(256),
    '/',
    '../',
  ]
  return [
    ...invalid.map((name) => hostile(`the name ${JSON.stringify(name.slice(0, 30))}`, 'name_invalid', one({ name }))),
    hostile('a name in another encoding', 'name_invalid', one({ name: Buffer.from('caf\u{e9}', 'latin1') })),
    hostile('a name in UTF-8 that does not say so', 'name_invalid', one({ name: 'café' })),
    hostile('a name in broken UTF-8', 'name_invalid', one({ name: Buffer.from([0x61, 0xc0, 0xaf]), flags: 0x800 })),
    hostile('a name in decomposed letters', 'name_invalid', one({ name: 'cafe\u{301}', flags: 0x800 })),
    hostile('a name that turns its direction', 'name_invalid', one({ name: 'a\u{202e}fdp.exe', flags: 0x800 })),
    hostile('a second name in an extra field', 'unsupported', one({ extra: extraOf(0x7075, Buffer.alloc(9)) })),
    hostile('the same name twice', 'name_duplicate', buildZip([flow, flow])),
    hostile('the same name in other case', 'name_duplicate', buildZip([flow, { name: 'FLOW.json' }])),
    hostile('a file that is a folder', 'name_duplicate', buildZip([{ name: 'a' }, { name: 'a/b' }])),
    hostile('a file and a folder', 'name_duplicate', buildZip([{ name: 'a' }, { name: 'a/', content: '' }])),
  ]
}

function features(): readonly HostileArchive[] {
  return [
    hostile('encrypted', 'encrypted', one({ flags: 1 })),
    hostile('encrypted strongly', 'encrypted', one({ flags: 0x41 })),
    hostile('hidden headers', 'encrypted', one({ flags: 0x2000 })),
    hostile('encrypted by AES', 'unsupported', one({ method: 99 })),
    hostile('encrypted before the data only', 'damaged', one({ local: { flags: 1 } })),
    hostile('another compression', 'unsupported', one({ method: 14 })),
    hostile('a patch', 'unsupported', one({ flags: 0x20 })),
    hostile('a link', 'link', one({ attributes: 0o120777 * 0x10000, content: '/etc/passwd' })),
    hostile('a device', 'link', one({ attributes: 0o060666 * 0x10000 })),
    hostile('a file that says it is a folder', 'link', one({ attributes: 0o040755 * 0x10000 })),
    hostile('sizes of zip64', 'unsupported', one({ extra: zip64, size: 0xffffffff, packedSize: 0xffffffff })),
    hostile('a field of zip64 that is not needed', 'unsupported', one({ extra: zip64 })),
    hostile('an offset of zip64', 'unsupported', one({ offset: 0xffffffff })),
    hostile('a directory of zip64', 'unsupported', one({}, { directoryOffset: 0xffffffff })),
    hostile('several parts', 'unsupported', one({}, { disk: 1 })),
    hostile('a part of several', 'unsupported', one({}, { countHere: 7 })),
    hostile('a comment', 'damaged', one({}, { comment: 'x' })),
    hostile('a comment that is a directory', 'unsupported', commentedDirectory()),
  ]
}

/** The last 22 bytes are an end without a comment, whose own comment length is changed. */
function commentedDirectory(): Buffer {
  const bytes = one({})
  bytes.writeUInt16LE(5, bytes.length - 2)
  return bytes
}

function structures(): readonly HostileArchive[] {
  const plain = one({})
  const stub = Buffer.from('#!/bin/sh\n')
  return [
    hostile('empty', 'not_zip', Buffer.alloc(0)),
    hostile('a PDF', 'not_zip', Buffer.from('%PDF-1.7\n'.repeat(9))),
    hostile('cut off', 'damaged', plain.subarray(0, plain.length - 1)),
    hostile('data before', 'damaged', buildZip([flow], { before: stub })),
    hostile('data before, with offsets that ignore it', 'damaged', Buffer.concat([stub, plain])),
    hostile('data after', 'damaged', one({}, { after: stub })),
    hostile('an archive after an archive', 'damaged', Buffer.concat([plain, plain])),
    hostile('data before the directory', 'damaged', one({}, { between: stub })),
    hostile('data between files', 'damaged', buildZip([{ ...flow, after: stub }, { name: 'b' }])),
    hostile('a file that is not listed', 'damaged', buildZip([flow, { name: 'hidden', isOnly: 'local' }])),
    hostile('a file that is only listed', 'damaged', buildZip([flow, { name: 'b', isOnly: 'listed', offset: 5 }])),
    hostile('two files in one place', 'damaged', buildZip([flow, { ...flow, name: 'b', isOnly: 'listed', offset: 0 }])),
    hostile('a file inside of a file', 'damaged', inside()),
    hostile('an offset outside', 'damaged', one({ offset: 99_999 })),
    hostile('a directory outside', 'damaged', one({}, { directoryOffset: 99_999 })),
    hostile('more listed than there are', 'damaged', one({}, { count: 2 })),
    hostile('less listed than there are', 'damaged', buildZip([flow, { name: 'b' }], { count: 1 })),
    hostile('a broken extra field', 'damaged', one({ extra: Buffer.from([1, 2, 99, 0]) })),
    hostile('a size that reaches into the directory', 'damaged', one({ size: 60, packedSize: 60 })),
  ]
}

/** The content of a file is an entry that is listed as well. */
function inside(): Buffer {
  const inner = buildZip([{ name: 'b' }])
  const length = 30 + 1 + 'content'.length
  return buildZip([
    { name: 'a', content: inner.subarray(0, length) },
    { name: 'b', isOnly: 'listed', offset: 31 },
  ])
}

function contradictions(): readonly HostileArchive[] {
  const content = Buffer.from('content'.repeat(20))
  const packed = deflateRawSync(content)
  const streamed = { name: 'a', content, isPacked: true, flags: 8 } as const
  return [
    hostile('a wrong checksum', 'damaged', one({ crc: 1 })),
    hostile('another name before the data', 'damaged', one({ local: { name: 'fl0w.json' } })),
    hostile('another method before the data', 'damaged', one({ local: { method: 8 } })),
    hostile('another size before the data', 'damaged', one({ local: { size: 1 } })),
    hostile('sizes of zip64 before the data', 'unsupported', one({ local: { extra: zip64 } })),
    hostile('stored with two sizes', 'damaged', one({ size: 9 })),
    hostile('a folder with content', 'damaged', one({ name: 'a/' })),
    hostile('noise instead of compressed data', 'damaged', one({ method: 8, data: Buffer.from('noise') })),
    hostile(
      'compressed data that is cut off',
      'damaged',
      buildZip([{ name: 'a', content, isPacked: true, data: packed.subarray(0, 5) }]),
    ),
    hostile(
      'data after the compressed data',
      'damaged',
      buildZip([{ name: 'a', content, isPacked: true, data: Buffer.concat([packed, content]) }]),
    ),
    hostile('a shorter file than stated', 'damaged', buildZip([{ name: 'a', content, isPacked: true, size: 200 }])),
    hostile('no sizes after the data', 'damaged', buildZip([streamed])),
    hostile(
      'other sizes after the data',
      'damaged',
      buildZip([{ ...streamed, after: descriptorOf(content, packed.length + 1, true) }]),
    ),
  ]
}
