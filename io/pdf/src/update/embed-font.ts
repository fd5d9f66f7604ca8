import { deflateSync } from 'node:zlib'
import type { PdfObject, PdfRef } from '@sealpost/pdf-format'
import type { Face } from '../fonts/face.ts'
import type { Subsetter } from '../fonts/subset.ts'
import { utf16 } from '../page/operators.ts'
import type { ObjectWriter } from './object-writer.ts'
import { array, dict, name } from './write-object.ts'

/** A composite font whose codes are glyph numbers; only the drawn glyphs are embedded. */
export function embedFont(update: ObjectWriter, subsetter: Subsetter, face: Face, tag: string): PdfRef {
  const glyphs = [...face.used.keys()].toSorted((one, other) => one - other)
  const baseFont = name(`${tag}+${face.name}`)
  const file = update.reserve()
  const data = subsetter.keepGlyphs(face.data, glyphs)
  update.writeStream(file, dict({ Filter: name('FlateDecode'), Length1: data.length }), deflateSync(data))
  const descriptor = update.reserve()
  update.write(descriptor, descriptorOf(face, baseFont, file))
  const descendant = update.reserve()
  update.write(
    descendant,
    dict({
      Type: name('Font'),
      Subtype: name('CIDFontType2'),
      BaseFont: baseFont,
      CIDSystemInfo: dict({ Registry: ascii('Adobe'), Ordering: ascii('Identity'), Supplement: 0 }),
      FontDescriptor: descriptor,
      CIDToGIDMap: name('Identity'),
      W: array(...glyphs.flatMap((glyph) => [glyph, array(face.width(glyph))])),
    }),
  )
  return writeComposite(update, face, baseFont, descendant)
}

function writeComposite(update: ObjectWriter, face: Face, baseFont: PdfObject, descendant: PdfRef): PdfRef {
  const unicode = update.reserve()
  update.writeStream(unicode, dict({ Filter: name('FlateDecode') }), deflateSync(toUnicode(face)))
  const font = update.reserve()
  update.write(
    font,
    dict({
      Type: name('Font'),
      Subtype: name('Type0'),
      BaseFont: baseFont,
      Encoding: name('Identity-H'),
      DescendantFonts: array(descendant),
      ToUnicode: unicode,
    }),
  )
  return font
}

function descriptorOf(face: Face, baseFont: PdfObject, file: PdfRef): PdfObject {
  return dict({
    Type: name('FontDescriptor'),
    FontName: baseFont,
    Flags: 4,
    FontBBox: array(...face.box),
    ItalicAngle: 0,
    Ascent: face.ascent,
    Descent: face.descent,
    CapHeight: face.ascent,
    StemV: 80,
    FontFile2: file,
  })
}

/** At most 100 lines in a block, as the format demands. */
const BLOCK = 100

function toUnicode({ used }: Face): string {
  const lines = [...used].flatMap(([glyph, text]) =>
    text === null ? [] : [`<${glyph.toString(16).padStart(4, '0')}> <${utf16(text).slice(4)}>`],
  )
  const blocks: string[] = []
  for (let at = 0; at < lines.length; at += BLOCK) {
    const block = lines.slice(at, at + BLOCK)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    ...blocks,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n')
}

function ascii(value: string): PdfObject {
  return { kind: 'string', bytes: Buffer.from(value, 'latin1') }
}
