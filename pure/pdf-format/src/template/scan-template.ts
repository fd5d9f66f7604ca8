import { accept, decline, type Result } from '@sealpost/kernel'
import { boxAround } from '../content/matrix.ts'
import { openPdf, type OpenedPdf } from '../inspect/inspect-pdf.ts'
import { PdfRefused, type PdfRefusal } from '../refusal.ts'
import type { FoundTag } from './find-tags.ts'
import { type PageView, rounded } from './page-view.ts'
import { openTemplate, type TemplatePage } from './read-page.ts'
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
function scanOpened(opened: OpenedPdf): TemplateScan {
  const template = openTemplate(opened)
  const report = new ScanReport(template.pages)
  for (let index = 0; index < template.pages; index += 1) reportPage(report, template.read(index))
  return report.result()
}

/** Adds what was found on a page. */
export function reportPage(report: ScanReport, page: TemplatePage): void {
  const { view, annotations } = page
  report.page = page.number
  for (const unreadable of page.unreadable) report.addUnreadable(unreadable)
  for (const tag of page.tags) report.addTag(textTag(tag, view))
  for (const { key, box, fontSize } of annotations.fields)
    report.addTag({ key, source: 'field', ...view.placeOf(box), fontSize: rounded(fontSize * view.unit) })
  for (const leftover of page.leftovers) report.addLeftover(leftover)
  for (const name of annotations.wrongNames)
    report.addLeftover({ reason: 'syntax', text: name.slice(0, TEMPLATE_LIMITS.leftoverText) })
}

/** How far letters reach below and above their line, in font sizes. */
const DESCENT = 0.25
const ASCENT = 0.8

export function textTag({ key, glyphs }: Pick<FoundTag, 'key' | 'glyphs'>, view: PageView): Omit<TemplateTag, 'page'> {
  const corners = glyphs.flatMap(({ startX, startY, endX, endY, alongX, alongY, em }) => [
    { x: startX + alongY * DESCENT * em, y: startY - alongX * DESCENT * em },
    { x: endX - alongY * ASCENT * em, y: endY + alongX * ASCENT * em },
  ])
  const fontSize = rounded((glyphs[0]?.em ?? 0) * view.unit)
  return { key, source: 'text', ...view.placeOf(boxAround(corners)), fontSize }
}

/** Collects what was found, up to the limits. */
export class ScanReport {
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
