import { type FoundTag, formatNumber, type PdfFont, type ShownCharacters, type WritableCode } from '@sealpost/pdf-format'
import { BOLD, type FontBook, REGULAR, type Weight } from '../fonts/font-book.ts'
import { type Cluster, type Run, type ShapedLine, shapeLine } from '../fonts/shape.ts'
import { drawCluster, utf16 } from '../page/operators.ts'
import { plainText } from '../page/wrap.ts'
import { writeName } from '../update/write-object.ts'
import type { FontNames } from './font-names.ts'

/** A value in the place of a tag. */
export interface Value {
  /** On the page, at full size. */
  readonly width: number
  /** A character of it is in no font. */
  readonly isIncomplete: boolean
  draw(scale: number): string
}

export interface ValueNeeds {
  readonly book: FontBook
  readonly shown: ShownCharacters
  readonly names: FontNames
  /** Shaped before: a name may be in a document many times. */
  readonly lines: Map<string, ShapedLine>
}

const EMPTY: Value = { width: 0, isIncomplete: false, draw: () => '' }

/** In the font of the tag if that shows all characters elsewhere, otherwise in fonts of ours. */
export async function makeValue(needs: ValueNeeds, tag: FoundTag, given: string): Promise<Value> {
  const text = printable(given)
  const { state, unit, font } = tag.first.show
  // Text without a size is not seen, and neither is its value.
  if (text === '' || state.size === 0 || unit === 0 || !Number.isFinite(unit)) return EMPTY
  const codes = isSimple(text) ? codesOf(needs.shown, tag, text) : null
  if (codes !== null) return ownFontValue(needs, tag, codes)
  const line = await shapeOnce(needs, text, weightOf(font))
  return font.isVertical ? verticalValue(needs, tag, line) : embeddedValue(needs, tag, line)
}

async function shapeOnce({ book, lines }: ValueNeeds, text: string, weight: Weight): Promise<ShapedLine> {
  const key = `${weight} ${text}`
  const line = lines.get(key) ?? (await shapeLine(book, text, weight))
  lines.set(key, line)
  return line
}

/**
 * One line. Marks that override directions are removed: a contract must not be read in another order than that in which
 * its text is stored.
 */
export function printable(text: string): string {
  return plainText(text.replaceAll(/[\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, ''))
}

/** Scripts whose letters stand side by side: others need shaping, which fonts of files are not made for. */
const SIMPLE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}]+$/u

function isSimple(text: string): boolean {
  return SIMPLE.test(text) && !/\p{M}/u.test(text)
}

/** Of a font that shows no space, as fonts of TeX do. */
const SPACE = 0.28

type Code = WritableCode | { readonly bytes: null; readonly width: number; readonly isWordSpace: false }

function codesOf(shown: ShownCharacters, { first }: FoundTag, text: string): readonly Code[] | null {
  const codes: Code[] = []
  for (const character of text) {
    const code = shown.codeOf(first.show, character)
    if (code !== null) codes.push(code)
    else if (character === ' ') codes.push({ bytes: null, width: SPACE, isWordSpace: false })
    else return null
  }
  return codes
}

function ownFontValue({ names }: ValueNeeds, tag: FoundTag, codes: readonly Code[]): Value {
  const { state, unit, font } = tag.first.show
  const direction = font.isVertical ? -1 : 1
  const spacings = codes.map(({ isWordSpace }) => state.characterSpacing + (isWordSpace ? state.wordSpacing : 0))
  const width = codes.reduce(
    (sum, code, at) => sum + code.width + (code.bytes === null ? 0 : (direction * (spacings[at] ?? 0)) / state.size),
    0,
  )
  const shown = codes
    .map(({ bytes, width: room }) =>
      bytes === null ? formatNumber(-1000 * direction * room) : `<${Buffer.from(bytes).toString('hex')}>`,
    )
    .join('')
    .replaceAll('><', '')
  return {
    width: width * unit,
    isIncomplete: false,
    draw: (scale) => (scale === 1 ? `[${shown}]TJ` : inSize(tag, names, scale, `[${shown}]TJ`)),
  }
}

/** The font of the tag at another size, then as before. */
function inSize(tag: FoundTag, names: FontNames, scale: number, show: string): string {
  const { state } = tag.first.show
  const font = ownFontName(tag, names)
  const spacing = (factor: number): string =>
    state.characterSpacing === 0 && state.wordSpacing === 0
      ? ''
      : `${formatNumber(state.characterSpacing * factor)} Tc ${formatNumber(state.wordSpacing * factor)} Tw `
  const begin = `${font} ${formatNumber(state.size * scale)} Tf ${spacing(scale)}`
  return `${begin}${show} ${font} ${formatNumber(state.size)} Tf ${spacing(1)}`
}

/** As the content names it; a font that was set elsewhere gets a name here. */
function ownFontName({ first }: FoundTag, names: FontNames): string {
  const { source, state } = first.show
  if (state.fontName !== null) return writeName(state.fontName)
  if (state.fontDict === null) throw new Error('a tag has no font')
  return `/${names.nameIn(source, { type: 'own', dict: state.fontDict })}`
}

function embeddedValue({ names }: ValueNeeds, tag: FoundTag, line: ShapedLine): Value {
  const { state, unit, font, source } = tag.first.show
  const size = state.size * font.em
  const spaces = spacingOf(state, line)
  const clusters = line.runs.flatMap((run) => run.clusters)
  const spacing = clusters.reduce((sum, cluster) => sum + spaces(cluster), 0)
  return {
    width: (line.width / 1000) * unit * font.em + (state.size === 0 ? 0 : (spacing / state.size) * unit),
    isIncomplete: isIncomplete(line),
    draw(scale) {
      const drawn = line.runs.map((run) => {
        const name = names.nameIn(source, { type: 'face', face: run.face, isVertical: false })
        const style = { size: size * scale, rise: state.rise }
        const shown = run.clusters.map((cluster) =>
          drawCluster(run, cluster, { ...style, spacing: size === 0 ? 0 : (spaces(cluster) * 1000) / size }),
        )
        return `/${name} ${formatNumber(size * scale)} Tf ${shown.join(' ')}`
      })
      return `${plainSpacing(state)}${drawn.join(' ')} ${restored(tag, names)}`
    },
  }
}

type State = FoundTag['first']['show']['state']

/** Letters that are joined cannot be spread. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Nko}]/u

function spacingOf(state: State, line: ShapedLine): (cluster: Cluster) => number {
  const isJoined = line.runs.some(({ clusters }) => clusters.some(({ text }) => JOINED.test(text)))
  const letter = isJoined ? 0 : state.characterSpacing
  return ({ text }) => letter + (text === ' ' ? state.wordSpacing : 0)
}

function plainSpacing({ characterSpacing, wordSpacing }: State): string {
  return `${characterSpacing === 0 ? '' : '0 Tc '}${wordSpacing === 0 ? '' : '0 Tw '}`
}

/** Font, size and spacing as they were. */
function restored(tag: FoundTag, names: FontNames): string {
  const { size, characterSpacing, wordSpacing } = tag.first.show.state
  const spacing = [
    characterSpacing === 0 ? '' : ` ${formatNumber(characterSpacing)} Tc`,
    wordSpacing === 0 ? '' : ` ${formatNumber(wordSpacing)} Tw`,
  ]
  return `${ownFontName(tag, names)} ${formatNumber(size)} Tf${spacing.join('')}`
}

/** Each glyph upright, below the one before it. */
function verticalValue({ names }: ValueNeeds, tag: FoundTag, line: ShapedLine): Value {
  const { state, unit, source } = tag.first.show
  const clusters = line.runs.flatMap((run) => run.clusters.map((cluster) => ({ run, cluster })))
  const glyphs = clusters.reduce((sum, { cluster }) => sum + cluster.glyphs.length, 0)
  return {
    width: glyphs * unit,
    isIncomplete: isIncomplete(line),
    draw(scale) {
      const drawn = clusters.map(({ run, cluster }) => {
        const name = names.nameIn(source, { type: 'face', face: run.face, isVertical: true })
        return `/${name} ${formatNumber(state.size * scale)} Tf ${stacked(run, cluster)}`
      })
      return `${plainSpacing(state)}${drawn.join(' ')} ${restored(tag, names)}`
    },
  }
}

function stacked({ face }: Run, { text, glyphs }: Cluster): string {
  for (const { id } of glyphs) if (!face.used.has(id)) face.used.set(id, null)
  const codes = glyphs.map(({ id }) => id.toString(16).padStart(4, '0')).join('')
  return `/Span<</ActualText<${utf16(text)}>>>BDC <${codes}>Tj EMC`
}

const MISSING = '\u{fffd}'

function isIncomplete({ runs }: ShapedLine): boolean {
  return runs.some(({ clusters }) => clusters.some(({ text }) => text.includes(MISSING)))
}

function weightOf({ name }: PdfFont): Weight {
  return /bold|black|heavy|demi|^(CM|SF)BX/i.test(name) ? BOLD : REGULAR
}
