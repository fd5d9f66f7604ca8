import * as harfbuzz from 'harfbuzzjs'
import decompress from 'woff2-encoder/decompress'
import { readSlice, type Slice } from './slices.ts'
import type { Subsetter } from './subset.ts'

/** A slice at one weight, ready for shaping. */
export interface Face {
  readonly name: string
  readonly data: Uint8Array
  readonly font: harfbuzz.Font
  readonly unitsPerEm: number
  /** Glyphs that were drawn, with the text each stands for; null where it differs from place to place. */
  readonly used: Map<number, string | null>
  has(codePoint: number): boolean
  /** In thousandths of the font size. */
  width(glyph: number): number
  /** The table of metrics that a font descriptor repeats. */
  readonly box: readonly number[]
  readonly ascent: number
  readonly descent: number
}

export async function openFace(slice: Slice, weight: number, subsetter: Subsetter): Promise<Face> {
  const data = subsetter.pinWeight(await decompress(readSlice(slice)), weight)
  const face = new harfbuzz.Face(new harfbuzz.Blob(Uint8Array.from(data).buffer))
  const font = new harfbuzz.Font(face)
  const unitsPerEm = face.upem
  const scaled = (units: number): number => Math.round((units * 1000) / unitsPerEm)
  const head = tableOf(face, 'head')
  const heights = tableOf(face, 'hhea')
  return {
    name: `${slice.name}-${weight}`,
    data,
    font,
    unitsPerEm,
    used: new Map(),
    has: (codePoint) => (font.nominalGlyph(codePoint) ?? 0) !== 0,
    width: (glyph) => scaled(font.glyphHAdvance(glyph)),
    box: [36, 38, 40, 42].map((at) => scaled(head.getInt16(at))),
    ascent: scaled(heights.getInt16(4)),
    descent: scaled(heights.getInt16(6)),
  }
}

function tableOf(face: harfbuzz.Face, name: string): DataView {
  const table = face.referenceTable(name)
  if (table === undefined) throw new Error(`a font has no table ${name}`)
  return new DataView(table.buffer, table.byteOffset, table.byteLength)
}
