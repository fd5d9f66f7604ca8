import type { Glyph } from '../content/glyph.ts'
import { type Line, linesAsDrawn, linesAsSeen } from './lines.ts'
import { TEMPLATE_LIMITS, type TemplateLeftover } from './template-scan.ts'

/** A tag and the glyphs that show it. */
export interface FoundTag {
  readonly key: string
  readonly glyphs: readonly Glyph[]
  /** The first one of the key: its font is that of the text, where braces come from a font of symbols. */
  readonly first: Glyph
}

export interface FoundText {
  readonly tags: readonly FoundTag[]
  readonly leftovers: readonly Omit<TemplateLeftover, 'page'>[]
}

/** The syntax of tags in texts; braces in a text from right to left may be stored as their mirror images. */
const PART = `[a-z][a-z0-9_]{0,${TEMPLATE_LIMITS.keyPart - 1}}`
const KEY = `(${PART}(?:\\.${PART}){0,2})`
const SPACES = '[ \u{a0}]{0,16}'
const TAG = new RegExp(`\\{\\{${SPACES}${KEY}${SPACES}\\}\\}`, 'gi')
const MIRRORED_TAG = new RegExp(`\\}\\}${SPACES}${KEY}${SPACES}\\{\\{`, 'gi')
const WHOLE_KEY = new RegExp(`^${KEY}$`, 'i')

export function isTemplateKey(text: string): boolean {
  return WHOLE_KEY.test(text) && text === text.toLowerCase()
}

/** The key of a name such as that of a form field; null if it is none. */
export function keyOfName(name: string): string | null {
  const inside = /^\{\{(.*)\}\}$/s.exec(name.trim())?.[1] ?? name
  return WHOLE_KEY.exec(inside.trim())?.[1]?.toLowerCase() ?? null
}

/** A text with values instead of tags; text of a title or an outline, which has no glyphs. */
export function fillTags(text: string, valueOf: (key: string) => string): string {
  return text.replaceAll(TAG, (_, key: string) => valueOf(key.toLowerCase()))
}

/**
 * [Note: a tag is one piece of text] Producers cut text into operators as they like, and kern it, so that the bytes of a
 * tag are seldom together. What counts is what is seen: one line without a gap. A tag that is wrapped or spread is none,
 * and is reported.
 */
export function findTags(glyphs: readonly Glyph[]): FoundText {
  const drawn = linesAsDrawn(glyphs)
  const first = drawn.flatMap((line) => tagsOf(line, TAG))
  const taken = new Set(first.flatMap((tag) => tag.glyphs))
  const hasMore = glyphs.some((glyph) => isBrace(glyph) && !taken.has(glyph))
  const second = hasMore ? findAsSeen(glyphs.filter((glyph) => !taken.has(glyph))) : []
  for (const tag of second) for (const glyph of tag.glyphs) taken.add(glyph)
  const tags = [...first, ...second]
  return {
    tags: tags.filter(isDrawn),
    leftovers: [
      ...drawn.flatMap((line) => leftoversOf(line, taken)),
      ...tags.filter((tag) => !isDrawn(tag)).map(({ key }) => ({ reason: 'invisible', text: `{{${key}}}` }) as const),
    ],
  }
}

function isDrawn(tag: FoundTag): boolean {
  return tag.glyphs.some(({ isInvisible }) => !isInvisible)
}

function findAsSeen(glyphs: readonly Glyph[]): readonly FoundTag[] {
  return linesAsSeen(glyphs).flatMap((line) => {
    const found = tagsOf(line, TAG)
    return found.length > 0 ? found : tagsOf(line, MIRRORED_TAG)
  })
}

function isBrace({ text }: Glyph): boolean {
  return text !== null && (text.includes('{') || text.includes('}'))
}

function tagsOf(line: Line, pattern: RegExp): readonly FoundTag[] {
  if (!line.some(isBrace)) return []
  const { text, glyphAt } = textOf(line)
  return Array.from(text.matchAll(pattern)).flatMap((found) => {
    const [whole, key = ''] = found
    const glyphs = line.slice(glyphAt[found.index], (glyphAt[found.index + whole.length - 1] ?? 0) + 1)
    const first = line[glyphAt[found.index + whole.indexOf(key)] ?? -1]
    return first === undefined ? [] : [{ key: key.toLowerCase(), glyphs, first }]
  })
}

const UNKNOWN = '\u{fffd}'

/** The text of a line, and for each of its units the glyph that shows it. */
function textOf(line: Line): { readonly text: string; readonly glyphAt: readonly number[] } {
  let text = ''
  const glyphAt: number[] = []
  for (const [index, glyph] of line.entries()) {
    const own = glyph.text ?? UNKNOWN
    text += own
    for (let unit = 0; unit < own.length; unit += 1) glyphAt.push(index)
  }
  return { text, glyphAt }
}

/** Stands for the glyphs of tags. */
const TAKEN = '\u{f8ff}'
const REST = new RegExp(`\\{\\{[^${TAKEN}{}]{0,200}\\}\\}|\\{\\{[^${TAKEN}{}]*|[^${TAKEN}{}]{0,40}\\}\\}`, 'g')

function leftoversOf(line: Line, taken: ReadonlySet<Glyph>): FoundText['leftovers'] {
  if (!line.some((glyph) => isBrace(glyph) && !taken.has(glyph))) return []
  const text = line.map((glyph) => (taken.has(glyph) ? TAKEN : (glyph.text ?? UNKNOWN))).join('')
  return Array.from(text.matchAll(REST), ([found]) => ({
    reason: found.startsWith('{{') && found.endsWith('}}') ? 'syntax' : 'split',
    text: found.trim().slice(0, TEMPLATE_LIMITS.leftoverText),
  }))
}
