import { bytesOf, latin1 } from '../../reader/characters.ts'
import { buildPdf, hybridPdf, pageObjects, plainPdf } from '../build-pdf.ts'
import { hostile, type HostileFile, streamBody } from './hostile-file.ts'

/** Files that only a repair could read, that have two readings, and such that are no PDF at all. */
export function structureFiles(): readonly HostileFile[] {
  const plain = latin1(plainPdf())
  const page = pageObjects()
  return [
    hostile('empty', 'not_pdf', ''),
    hostile('a web page', 'not_pdf', '<html><body>%PDF-1.7</body></html>'),
    hostile('bytes before the header', 'not_pdf', ` ${plain}`),
    hostile('only a header', 'damaged', '%PDF-1.7\n'),
    hostile('cut off', 'damaged', plain.slice(0, plain.length - 40)),
    hostile('data after the end', 'damaged', `${plain}PK\u{3}\u{4}`),
    hostile('startxref outside of the file', 'damaged', plain.replace(/startxref\n\d+/, 'startxref\n999999')),
    hostile('startxref at another place', 'damaged', plain.replace(/startxref\n\d+/, 'startxref\n12')),
    hostile('a table that is its own predecessor', 'damaged', ownPredecessor(page)),
    hostile('a table with four billion rows', 'damaged', plain.replace(/xref\n0 \d+/, 'xref\n0 4294967295')),
    hostile('a Size of two billion', 'too_complex', plain.replace(/\/Size \d+/, '/Size 2000000000')),
    hostile('300 predecessors', 'too_complex', manySections(page, 300)),
    hostile('no catalog', 'damaged', buildPdf(page, { root: 9 })),
    hostile('another object at the offset', 'damaged', plain.replace('3 0 obj', '8 0 obj')),
    hostile('a key twice', 'damaged', buildPdf(pageObjects({ page: '/Rotate 0 /Rotate 90' }))),
    hostile('a stream with a wrong length', 'damaged', plain.replace(/\/Length \d+/, '/Length 11')),
    hostile(
      'a stream whose length is itself',
      'damaged',
      buildPdf([...page, '<</Length 4 0 R>>\nstream\nx\nendstream']),
    ),
    hostile(
      'a stream longer than the file',
      'damaged',
      buildPdf([...page, '<</Length 999999999>>\nstream\nx\nendstream']),
    ),
    hostile(
      'a reference to an impossible object',
      'damaged',
      buildPdf(pageObjects({ page: '/Annots 4294967295 0 R' })),
    ),
    hostile(
      'references in a circle',
      'damaged',
      buildPdf([...pageObjects({ page: '/Rotate 4 0 R' }), '5 0 R', '4 0 R']),
    ),
    hostile('a stream of objects in itself', 'damaged', objectStreamInItself()),
    ...twoReadings(),
    hostile('encrypted', 'encrypted', buildPdf(page, { trailer: '/Encrypt 9 0 R' })),
    hostile(
      'encrypted with an empty password',
      'encrypted',
      buildPdf(page, { trailer: '/Encrypt <</Filter /Standard>>' }),
    ),
    hostile('encrypted before the last update', 'encrypted', encryptedBefore(page)),
  ]
}

function ownPredecessor(page: readonly string[]): Uint8Array {
  const text = latin1(buildPdf(page, { trailer: '/Prev 0000000000' }))
  return bytesOf(text.replace('/Prev 0000000000', `/Prev ${String(text.lastIndexOf('xref\n0')).padStart(10, '0')}`))
}

/** A chain of updates that change nothing. */
function manySections(page: readonly string[], count: number): Uint8Array {
  let text = latin1(buildPdf(page))
  for (let index = 0; index < count; index += 1) text += emptyUpdate(text, '')
  return bytesOf(text)
}

function encryptedBefore(page: readonly string[]): Uint8Array {
  const text = latin1(buildPdf(page, { trailer: '/Encrypt <</Filter /Standard>>' }))
  return bytesOf(text + emptyUpdate(text, ''))
}

function emptyUpdate(text: string, members: string): string {
  const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1] ?? '0'
  const end = `trailer\n<</Size 4 /Root 1 0 R /Prev ${previous} ${members}>>\nstartxref\n${text.length}\n%%EOF\n`
  return `xref\n0 1\n0000000000 65535 f \n${end}`
}

/** The cross-reference stream says that object 4 is in object 4. */
function objectStreamInItself(): Uint8Array {
  return buildPdf([...pageObjects(), streamBody('/Type /ObjStm /N 1 /First 4', '9 0 null')], {
    table: (offsets) => {
      const rows = offsets.map((offset, index) => (index === 3 ? [2, 4, 0] : [1, offset, 0]))
      const data = [[0, 0, 0], ...rows].map(([type = 0, second = 0, third = 0]) =>
        String.fromCharCode(type, second >> 8, second & 0xff, third),
      )
      return `9 0 obj\n${streamBody('/Type /XRef /W [1 2 1] /Size 5 /Root 1 0 R', data.join(''))}\nendobj\n`
    },
  })
}

/** Viewers that look for objects themselves show other ones than those that follow the lists. */
function twoReadings(): readonly HostileFile[] {
  const page = pageObjects({ page: '/Contents 4 0 R' })
  const shown = streamBody('', 'BT (Price 900000 EUR) Tj ET')
  const unlisted = latin1(buildPdf([...pageObjects(), shown])).replace('xref\n0 5', 'xref\n0 4')
  const lastRow = /\d{10} 00000 n \n(?=trailer)/
  const listed = latin1(buildPdf([...page, shown]))
  return [
    hostile(
      'a table that leaves free what the stream beside it has',
      'hybrid_references',
      hybridPdf([...page, shown], 4),
    ),
    hostile('an object that no section lists', 'unlisted_data', unlisted.replace(lastRow, '')),
    hostile(
      'an object that the only section leaves free',
      'unlisted_data',
      listed.replace(lastRow, '0000000000 00001 f \n'),
    ),
    hostile('a word behind an object', 'unlisted_data', listed.replace('%\u{e2}\u{e3}\u{cf}\u{d3}', 'MZMZM')),
    hostile('a deleted object that a page refers to', 'missing_object', listed + freeing(listed, 4)),
    hostile(
      'a missing object inside of a stream',
      'missing_object',
      buildPdf([...pageObjects({ page: '/Contents [4 0 R 9 0 R]' }), streamBody('', '\n9 0 obj\n<<>>\nendobj')]),
    ),
    hostile(
      'another generation of an object',
      'missing_object',
      buildPdf([...pageObjects({ page: '/Contents 4 1 R' }), shown]),
    ),
    hostile(
      'an object at two places',
      'damaged',
      listed.replace(lastRow, (row) => `${row}4 1\n0000000015 00000 n \n`),
    ),
  ]
}

/** An update that deletes an object. */
function freeing(text: string, number: number): string {
  return emptyUpdate(text, '').replace('xref\n0 1\n', `xref\n${number} 1\n0000000000 00001 f \n0 1\n`)
}
