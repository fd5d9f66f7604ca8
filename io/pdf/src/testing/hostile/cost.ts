import { constants, deflateSync } from 'node:zlib'
import { buildPdf, hostile, type HostileFile, pageObjects, streamBody } from '@sealpost/pdf-format/testing'

const FLATE = '/Filter /FlateDecode'

const more = (...objects: readonly string[]) => buildPdf(pageObjects({ more: objects }))

/** Small files that take much time or memory to read. */
export function costFiles(): readonly HostileFile[] {
  const bomb = deflateSync(Buffer.alloc(80 << 20))
  const third = deflateSync(Buffer.alloc(50 << 20))
  return [
    hostile('larger than 25 MB', 'too_large', Buffer.alloc(25 * 1_048_576 + 1, '%PDF-1.7\n')),
    hostile('a bomb on a page', 'too_complex', more(streamBody(FLATE, bomb))),
    hostile(
      'a bomb in a bomb',
      'too_complex',
      more(streamBody('/Filter [/FlateDecode /FlateDecode]', deflateSync(bomb))),
    ),
    hostile('three half bombs', 'too_complex', more(...[1, 2, 3].map(() => streamBody(FLATE, third)))),
    hostile('a bomb in a stream of objects', 'too_complex', containedIn(bomb, 1)),
    hostile('a bomb in the cross-references', 'too_complex', bombOfReferences(bomb)),
    hostile(
      'five filters',
      'too_complex',
      more(streamBody('/Filter [/FlateDecode /FlateDecode /FlateDecode /FlateDecode /FlateDecode]', 'x')),
    ),
    hostile('a hundred thousand tiny blocks', 'too_complex', more(streamBody(FLATE, tinyBlocks(40_000)))),
    hostile(
      'compressed data that is cut off',
      'damaged',
      more(streamBody(FLATE, deflateSync(Buffer.alloc(9000, 'abc')).subarray(0, 20))),
    ),
    hostile(
      'compressed data that is noise',
      'damaged',
      more(streamBody(FLATE, '\u{78}\u{9c}\u{ff}\u{ff}\u{ff}\u{ff}')),
    ),
    hostile('200,000 nested arrays', 'damaged', more(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)),
    hostile('200,000 nested dictionaries', 'damaged', more(`${'<</A '.repeat(200_000)}1${'>>'.repeat(200_000)}`)),
    hostile('six million empty arrays', 'too_complex', more(`[${'[]'.repeat(6_000_000)}]`)),
    hostile('a string that contains the other objects', 'too_complex', overlapping(4_000, '(', ') endobj ')),
    hostile('objects in one long comment', 'too_complex', overlapping(4_000, '%', '')),
    hostile('objects that share their place in a stream', 'too_complex', sharedPlaces(20_000)),
    hostile(
      '300,000 objects',
      'too_complex',
      buildPdf([...pageObjects(), ...Array.from({ length: 300_000 }, () => '0')]),
    ),
    hostile('a million kids', 'page_tree_invalid', manyKids(1_000_000)),
    hostile('a name of a megabyte', 'damaged', more(`/${'A'.repeat(1_000_000)}`)),
    hostile('a string without an end', 'damaged', more(`(${'('.repeat(1_000_000)}`)),
  ]
}

function manyKids(count: number): Uint8Array {
  const [catalog = '', , page = ''] = pageObjects()
  return buildPdf([catalog, `<</Type /Pages /Kids [${'3 0 R '.repeat(count)}] /Count 1>>`, page])
}

/** Each block has its own tables. */
function tinyBlocks(count: number): Uint8Array {
  const one = deflateSync(Buffer.from('abcabcddeeffgg'.repeat(8)), { strategy: constants.Z_HUFFMAN_ONLY, level: 9 })
  const parts: Uint8Array[] = [Buffer.from([0x78, 0x9c])]
  // A flushed block ends at a byte, so that copies can follow each other.
  const block = deflateBlock()
  for (let index = 0; index < count; index += 1) parts.push(block)
  parts.push(one.subarray(2))
  return Buffer.concat(parts)
}

/** A dynamic block that is not the last, and the empty stored block that aligns it. */
function deflateBlock(): Uint8Array {
  const text = Buffer.from(Array.from({ length: 400 }, (_, index) => 65 + ((index * index) % 23)))
  const whole = deflateSync(text, { finishFlush: constants.Z_FULL_FLUSH, strategy: constants.Z_HUFFMAN_ONLY })
  return whole.subarray(2)
}

function containedIn(data: Uint8Array, count: number): Uint8Array {
  const container = streamBody(`/Type /ObjStm /N ${count} /First 4 ${FLATE}`, data)
  return withRows([...pageObjects(), container], count)
}

const rowOf = (type: number, second: number, third: number) =>
  String.fromCharCode(type, (second >> 16) & 255, (second >> 8) & 255, second & 255, (third >> 8) & 255, third & 255)

/** Objects from 10 on are in object 4. */
function withRows(bodies: readonly string[], contained: number): Uint8Array {
  return buildPdf(bodies, {
    table: (offsets) => {
      const own = offsets.map((offset) => rowOf(1, offset, 0))
      const others = Array.from({ length: contained }, (_, index) => rowOf(2, 4, index))
      const index = `/Index [1 ${own.length} 10 ${contained}]`
      const data = [...own, ...others].join('')
      return `9 0 obj\n${streamBody(`/Type /XRef /W [1 3 2] ${index} /Size ${contained + 10} /Root 1 0 R`, data)}\nendobj\n`
    },
  })
}

function bombOfReferences(bomb: Uint8Array): Uint8Array {
  return buildPdf(pageObjects(), {
    table: () => `9 0 obj\n${streamBody(`/Type /XRef /W [1 2 1] /Size 5 /Root 1 0 R ${FLATE}`, bomb)}\nendobj\n`,
  })
}

/** Reading one object reads all that follow. */
function overlapping(count: number, open: string, close: string): Uint8Array {
  const bodies = [...pageObjects(), ...Array.from({ length: count }, () => null)]
  const plain = Buffer.from(buildPdf(bodies)).toString('latin1')
  const start = plain.indexOf('xref\n0')
  const heads = Array.from({ length: count }, (_, index) => `${index + 4} 0 obj ${open}${'x'.repeat(200)}`)
  const offsets: number[] = []
  let text = plain.slice(0, start)
  for (const head of heads) {
    offsets.push(text.length)
    text += `${head} `
  }
  text += close === '' ? '\nnull endobj\n' : close.repeat(count)
  const rows = plain.slice(start).split('\n')
  const patched = rows.map((row, index) => {
    const offset = offsets[index - 2 - 4]
    return offset === undefined ? row : `${String(offset).padStart(10, '0')} 00000 n `
  })
  const table = patched.join('\n').replace(/startxref\n\d+/, `startxref\n${text.length}`)
  return Buffer.from(text + table, 'latin1')
}

/** Many numbers, all at the offset of one long array. */
function sharedPlaces(count: number): Uint8Array {
  const head = Array.from({ length: count }, (_, index) => `${index + 10} 0`).join(' ')
  const data = `${head} (${'x'.repeat(20_000)})`
  const container = streamBody(`/Type /ObjStm /N ${count} /First ${head.length + 1}`, data)
  return withRows([...pageObjects(), container], count)
}
