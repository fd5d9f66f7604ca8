import { accept, decline, type Result } from '@sealpost/kernel'
import type { Glyph } from '../content/glyph.ts'
import { initialState } from '../content/graphics-state.ts'
import { Interpreter, type InterpreterNeeds, type Shown } from '../content/interpreter.ts'
import { boxAround, IDENTITY } from '../content/matrix.ts'
import { ScanBudget } from '../content/scan-budget.ts'
import { StreamReader } from '../content/stream-reader.ts'
import { UnreadableContent } from '../content/unreadable.ts'
import { FontReader } from '../font/read-font.ts'
import { openPdf, type OpenedPdf } from '../inspect/inspect-pdf.ts'
import type { Inherited } from '../inspect/pages.ts'
import { isDict, type PdfDict } from '../reader/objects.ts'
import { PdfRefused, type PdfRefusal } from '../refusal.ts'
import { type PageAnnotations, readAnnotations } from './annotations.ts'
import { findTags, type FoundTag } from './find-tags.ts'
import { readPageContent } from './page-contents.ts'
import { type PageView, rounded, viewOf } from './page-view.ts'
import {
  TEMPLATE_LIMITS,
  type TemplateLeftover,
  type TemplateScan,
  type TemplateTag,
  type UnreadableText,
} from './template-scan.ts'

/** The gate for signed PDFs, then the search for tags. Never throws; its cost is bounded by `PDF_LIMITS`. */
export function scanTemplate(bytes: Uint8Array): Result<TemplateScan, PdfRefusal> {
  const opened = openPdf(bytes)
  if (!opened.ok) return opened
  try {
    return accept(scanOpened(opened.value))
  } catch (error) {
    if (error instanceof PdfRefused) return decline(error.refusal)
    throw error
  }
}

/** For a file that has passed the gate; throws `PdfRefused` if it costs too much. */
function scanOpened({ document, tree, facts }: OpenedPdf): TemplateScan {
  const budget = new ScanBudget(document.bytes.length)
  const needs: InterpreterNeeds = {
    document,
    budget,
    fonts: new FontReader(document, budget),
    streams: new StreamReader(document, budget),
  }
  const report = new Report(facts.pages)
  for (const [index, dict] of tree.pages.entries()) {
    const attributes = tree.attributes[index] ?? new Map()
    scanPage(needs, report, { dict, attributes, number: index + 1 })
  }
  return report.result()
}

interface Page {
  readonly dict: PdfDict
  readonly attributes: Inherited
  readonly number: number
}

function scanPage(needs: InterpreterNeeds, report: Report, page: Page): void {
  const view = viewOf(needs.document, page.dict, page.attributes)
  const shown: Shown = { glyphs: [], hasPicture: false }
  report.page = page.number
  const isRead = attempt(() => drawPage(needs, shown, page))
  let annotations: PageAnnotations = { fields: [], wrongNames: [] }
  const isAnnotated = attempt(() => {
    annotations = readAnnotations(needs, shown, page.dict)
  })
  if (!isRead || !isAnnotated) report.addUnreadable({ reason: 'content' })
  else if (shown.glyphs.length === 0 && shown.hasPicture) report.addUnreadable({ reason: 'picture' })
  for (const font of unreadableFonts(shown.glyphs)) report.addUnreadable({ reason: 'font', font })
  const { tags, leftovers } = findTags(shown.glyphs)
  for (const tag of tags) report.addTag(textTag(tag, view))
  for (const { key, box, fontSize } of annotations.fields)
    report.addTag({ key, source: 'field', ...view.placeOf(box), fontSize: rounded(fontSize * view.unit) })
  for (const leftover of leftovers) report.addLeftover(leftover)
  for (const name of annotations.wrongNames)
    report.addLeftover({ reason: 'syntax', text: name.slice(0, TEMPLATE_LIMITS.leftoverText) })
}

/** Whether it could be read to its end; what was shown before that counts. */
function attempt(read: () => void): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof UnreadableContent) return false
    throw error
  }
}

function drawPage(needs: InterpreterNeeds, shown: Shown, { dict, attributes }: Page): void {
  const resources = attributes.get('Resources')
  const drawing = {
    source: { type: 'page' },
    resources: isDict(resources) ? resources : null,
    state: initialState(IDENTITY),
    within: [],
  } as const
  new Interpreter(needs, shown, drawing).run(readPageContent(needs, dict))
}

/** Fonts that do not say what most of their shown codes mean. */
function unreadableFonts(glyphs: readonly Glyph[]): readonly string[] {
  const counts = new Map<string, { shown: number; unknown: number }>()
  for (const { text, show } of glyphs) {
    const count = counts.get(show.font.name) ?? { shown: 0, unknown: 0 }
    counts.set(show.font.name, count)
    count.shown += 1
    if (text === null) count.unknown += 1
  }
  return [...counts]
    .filter(([name, { shown, unknown }]) => unknown * 2 > shown && !isSymbols(name))
    .map(([name]) => name)
}

/** Bullets and check marks have no text. */
function isSymbols(fontName: string): boolean {
  return /^(Symbol|ZapfDingbats|Wingdings|Webdings)/.test(fontName)
}

/** How far letters reach below and above their line, in font sizes. */
const DESCENT = 0.25
const ASCENT = 0.8

function textTag({ key, glyphs }: FoundTag, view: PageView): Omit<TemplateTag, 'page'> {
  const corners = glyphs.flatMap(({ startX, startY, endX, endY, alongX, alongY, em }) => [
    { x: startX + alongY * DESCENT * em, y: startY - alongX * DESCENT * em },
    { x: endX - alongY * ASCENT * em, y: endY + alongX * ASCENT * em },
  ])
  const fontSize = rounded((glyphs[0]?.em ?? 0) * view.unit)
  return { key, source: 'text', ...view.placeOf(boxAround(corners)), fontSize }
}

/** Collects what was found, up to the limits. */
class Report {
  page = 0
  readonly #pages: number
  readonly #keys = new Set<string>()
  readonly #tags: TemplateTag[] = []
  readonly #leftovers: TemplateLeftover[] = []
  readonly #unreadable: UnreadableText[] = []
  #isCut = false

  constructor(pages: number) {
    this.#pages = pages
  }

  addTag(tag: Omit<TemplateTag, 'page'>): void {
    const own = { ...tag, page: this.page }
    if (this.#keys.size < TEMPLATE_LIMITS.tags) this.#keys.add(tag.key)
    if (this.#tags.length >= TEMPLATE_LIMITS.tags) this.#isCut = true
    // Drawn twice, a little apart, to look bold.
    else if (!this.#tags.some((other) => isSamePlace(other, own))) this.#tags.push(own)
  }

  addLeftover(leftover: Omit<TemplateLeftover, 'page'>): void {
    this.#add(this.#leftovers, { ...leftover, page: this.page }, TEMPLATE_LIMITS.leftovers)
  }

  addUnreadable(unreadable: Omit<UnreadableText, 'page'>): void {
    this.#add(this.#unreadable, { ...unreadable, page: this.page }, TEMPLATE_LIMITS.unreadable)
  }

  result(): TemplateScan {
    return {
      pages: this.#pages,
      keys: [...this.#keys],
      tags: this.#tags,
      leftovers: this.#leftovers,
      unreadable: this.#unreadable,
      isCut: this.#isCut,
    }
  }

  #add<Item>(list: Item[], item: Item, limit: number): void {
    if (list.length < limit) list.push(item)
    else this.#isCut = true
  }
}

const SAME_PLACE = 0.2

function isSamePlace(one: TemplateTag, other: TemplateTag): boolean {
  if (one.page !== other.page || one.key !== other.key || one.source !== other.source) return false
  const near = SAME_PLACE * Math.max(one.fontSize, 1)
  return Math.abs(one.left - other.left) < near && Math.abs(one.top - other.top) < near
}
