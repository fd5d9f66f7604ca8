import type { ContentSource, Glyph } from '../content/glyph.ts'
import { editContent } from '../fill/edit-content.ts'
import { claimTags, editPage, type FormOwners, type PageEdits } from '../fill/edit-page.ts'
import { openPdf } from '../inspect/inspect-pdf.ts'
import { latin1 } from '../reader/characters.ts'
import { linesAsSeen } from '../template/lines.ts'
import { openTemplate, type TemplatePage, type TemplateReader } from '../template/read-page.ts'
import { templatePdf, type TemplateWish, textAt } from './template-pdf.ts'

/** Every character is half as wide as the font size. */
export const HALF_WIDE = `/Subtype /Type1 /BaseFont /Made /Encoding /WinAnsiEncoding /FirstChar 0 /LastChar 255 /Widths [${'500 '.repeat(256)}]`

/** A line of text as it is seen, with the places where it starts and ends. */
export interface SeenLine {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly endX: number
  readonly endY: number
}

export interface FilledPage {
  readonly content: string
  readonly lines: readonly SeenLine[]
  readonly overflowing: readonly string[]
  readonly scales: Readonly<Record<string, number>>
}

export interface TemplateParts {
  readonly reader: TemplateReader
  readonly page: TemplatePage
}

export function readTemplatePage(wish: TemplateWish, index = 0): TemplateParts {
  const opened = openPdf(templatePdf({ font: HALF_WIDE, ...wish }))
  if (!opened.ok) throw new Error(opened.refusal)
  const reader = openTemplate(opened.value)
  return { reader, page: reader.read(index) }
}

function widthOf({ show }: Glyph, text: string): number {
  return text.length * 0.5 * Math.abs(show.unit)
}

/** Values are drawn in the font of their tag, which must have their characters. */
export function editTemplatePage(
  { reader, page }: TemplateParts,
  values: Readonly<Record<string, string>>,
  owners: FormOwners = new Map(),
): PageEdits {
  return editPage(
    page,
    claimTags(page.tags, owners),
    {
      widthOf: ({ key, first }) => widthOf(first, values[key] ?? ''),
      draw: ({ key, first }, scale) => {
        const { size } = first.show.state
        return `/F1 ${size * scale} Tf (${values[key] ?? ''}) Tj /F1 ${size} Tf`
      },
    },
    { owners, budget: reader.needs.budget },
  )
}

/** Fills the only page of a template, and reads it again. */
export function fillTemplatePage(wish: TemplateWish | string, values: Readonly<Record<string, string>>): FilledPage {
  const template = typeof wish === 'string' ? { contents: [wish] } : wish
  const parts = readTemplatePage(template)
  const { edits, overflowing, scales } = editTemplatePage(parts, values)
  const own = [...edits].find(([source]) => source.type === 'page')?.[1] ?? []
  const content = latin1(editContent(parts.reader.contentOf(parts.page.dict), own))
  return {
    content,
    lines: linesOf(readTemplatePage({ ...template, contents: [content] }).page.shown.glyphs),
    overflowing: [...overflowing].map(({ key }) => key),
    scales: Object.fromEntries([...scales].map(([{ key }, scale]) => [key, round(scale)])),
  }
}

/** From top to bottom, then from left to right. */
export function linesOf(glyphs: readonly Glyph[]): readonly SeenLine[] {
  const lines = linesAsSeen(glyphs).map((line) => ({
    text: line.map(({ text }) => text ?? '?').join(''),
    x: round(line[0]?.startX ?? 0),
    y: round(line[0]?.startY ?? 0),
    endX: round(line.at(-1)?.endX ?? 0),
    endY: round(line.at(-1)?.endY ?? 0),
  }))
  return lines.toSorted((one, other) => other.y - one.y || one.x - other.x)
}

/** A line of the template at a font size of 10: 5 points per character. */
export function shownAt(x: number, y: number, text: string): string {
  return textAt(x, y, `(${text}) Tj`, 10)
}

/** The same line as it is seen. */
export function seenAt(text: string, x: number, y: number): SeenLine {
  return { text, x, y, endX: x + text.length * 5, endY: y }
}

export function formEdits({ edits }: PageEdits): readonly ContentSource[] {
  return [...edits.keys()].filter(({ type }) => type === 'form')
}

function round(value: number): number {
  return Math.round(value * 100) / 100 + 0
}
