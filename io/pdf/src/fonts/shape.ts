// oxlint-disable-next-line typescript/triple-slash-reference -- every project that imports this file must find the declaration
/// <reference path="./bidi-js.d.ts" />
import bidiFactory from 'bidi-js/dist/bidi.mjs'
import * as harfbuzz from 'harfbuzzjs'
import type { Face } from './face.ts'
import { type FontBook, REGULAR, type Weight } from './font-book.ts'

/** Numbers are thousandths of the font size. */
export interface Glyph {
  readonly id: number
  readonly advance: number
  readonly offsetX: number
  readonly offsetY: number
}

/** Glyphs that stand for one piece of text, in the order in which they are drawn. */
export interface Cluster {
  readonly text: string
  readonly glyphs: readonly Glyph[]
}

export interface Run {
  readonly face: Face
  readonly clusters: readonly Cluster[]
}

/** One line, from left to right as it is drawn. */
export interface ShapedLine {
  readonly runs: readonly Run[]
  readonly width: number
  readonly isRightToLeft: boolean
}

const bidi = bidiFactory()
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
/** Drawn for a character that no font has. */
const MISSING = '\u{fffd}'

export async function shapeLine(book: FontBook, text: string, weight: Weight = REGULAR): Promise<ShapedLine> {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, 'auto')
  const isRightToLeft = ((paragraphs[0]?.level ?? 0) & 1) === 1
  const items = await itemize(book, text, levels, weight)
  const runs = inVisualOrder(items).map((item) => ({ face: item.face, clusters: shapeItem(item) }))
  const width = runs.flatMap(({ clusters }) => clusters).reduce((sum, cluster) => sum + widthOf(cluster), 0)
  return { runs, width, isRightToLeft }
}

function widthOf({ glyphs }: Cluster): number {
  return glyphs.reduce((sum, { advance }) => sum + advance, 0)
}

interface Item {
  readonly face: Face
  readonly level: number
  text: string
}

/** Pieces of one direction and one font. */
async function itemize(book: FontBook, text: string, levels: Uint8Array, weight: Weight): Promise<Item[]> {
  const items: Item[] = []
  for (const { segment, index } of graphemes.segment(text)) {
    const level = levels[index] ?? 0
    const last = items.at(-1)
    // A space between two words of one script stays in their font.
    const keeps = segment === ' ' && last !== undefined && last.face.has(0x20)
    const face = keeps ? last.face : await book.faceFor(segment, weight)
    const shown = face ?? (await book.faceFor(MISSING, weight))
    if (shown === null) throw new Error('no font has the replacement character')
    const drawn = face === null ? MISSING : segment
    if (last?.face === shown && last.level === level) last.text += drawn
    else items.push({ face: shown, level, text: drawn })
  }
  return items
}

/** Rule L2 of the bidirectional algorithm, for whole pieces. */
function inVisualOrder(items: readonly Item[]): readonly Item[] {
  const ordered = [...items]
  const highest = Math.max(0, ...items.map(({ level }) => level))
  for (let level = highest; level >= 1; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end += 1
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed())
      start = Math.max(start, end)
    }
  }
  return ordered
}

function shapeItem({ face, level, text }: Item): readonly Cluster[] {
  const buffer = new harfbuzz.Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  buffer.setDirection(level % 2 === 1 ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR)
  harfbuzz.shape(face.font, buffer)
  const positions = buffer.getGlyphPositions()
  const scale = 1000 / face.unitsPerEm
  const groups: { readonly start: number; readonly glyphs: Glyph[] }[] = []
  for (const [index, { codepoint: id, cluster: start }] of buffer.getGlyphInfos().entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
    const glyph = { id, advance: xAdvance * scale, offsetX: xOffset * scale, offsetY: yOffset * scale }
    const last = groups.at(-1)
    if (last?.start === start) last.glyphs.push(glyph)
    else groups.push({ start, glyphs: [glyph] })
  }
  const starts = [...groups.map(({ start }) => start), text.length].toSorted((one, other) => one - other)
  return groups.map(({ start, glyphs }) => {
    const end = starts[starts.indexOf(start) + 1] ?? text.length
    return { text: text.slice(start, end), glyphs }
  })
}
