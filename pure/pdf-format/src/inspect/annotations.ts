import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isName, isStream, type PdfDict, type PdfObject } from '../reader/objects.ts'
import { PdfRefused } from '../refusal.ts'

const INVISIBLE = 1
const HIDDEN = 2
const PRINT = 4
const NO_VIEW = 32
const TOGGLE_NO_VIEW = 256

/** What lies on the pages looks the same on a screen and on paper, and in each viewer. */
export function inspectAnnotations(document: PdfDocument, pages: readonly PdfDict[]): void {
  // Pages may share a list, and lists an annotation.
  const seen = new Set<PdfObject>()
  for (const page of pages) {
    const list = document.get(page, 'Annots')
    if (!isArray(list) || seen.has(list)) continue
    seen.add(list)
    for (const item of list.items) {
      const annotation = document.resolve(item)
      if (!isDict(annotation) || seen.has(annotation)) continue
      seen.add(annotation)
      inspectAnnotation(document, annotation)
    }
  }
}

function inspectAnnotation(document: PdfDocument, annotation: PdfDict): void {
  if (document.get(annotation, 'Open') === true) throw new PdfRefused('annotation_open', 'a note or its window is open')
  const subtype = document.get(annotation, 'Subtype')
  if (isName(subtype, 'Popup')) return
  const isPart = isName(subtype, 'Link') || isName(subtype, 'Widget')
  const hasLook = hasAppearance(document, annotation)
  if (!isPart && !hasLook) throw new PdfRefused('annotation_without_appearance', 'an annotation has no appearance')
  if (!isPart || hasLook) requireSameOnPaper(document, annotation, isPart)
  if (isName(subtype, 'Widget') && !hasLook) refuseUndrawnValue(document, annotation)
}

/** A field may be hidden on both. */
function requireSameOnPaper(document: PdfDocument, annotation: PdfDict, mayBeHidden: boolean): void {
  const stated = document.get(annotation, 'F')
  const flags = typeof stated === 'number' ? stated : 0
  const isShown = (flags & (HIDDEN | NO_VIEW)) === 0
  const isPrinted = (flags & PRINT) !== 0 && (flags & HIDDEN) === 0
  const isSame = isShown === isPrinted && (isShown || mayBeHidden)
  if (!isSame || (flags & (INVISIBLE | TOGGLE_NO_VIEW)) !== 0)
    throw new PdfRefused('annotation_flags', `an annotation has the flags ${flags}`)
}

/** Streams, or one for each state. */
function hasAppearance(document: PdfDocument, annotation: PdfDict): boolean {
  const appearances = document.get(annotation, 'AP')
  const normal = isDict(appearances) ? document.get(appearances, 'N') : null
  return isStream(normal) || (isDict(normal) && normal.entries.size > 0)
}

/** The value of a text field or list, which is its own or that of a parent. */
function refuseUndrawnValue(document: PdfDocument, widget: PdfDict): void {
  const seen = new Set<PdfObject>()
  for (let field: PdfObject = widget; isDict(field) && !seen.has(field); field = document.get(field, 'Parent')) {
    seen.add(field)
    if (isText(document.get(field, 'V')))
      throw new PdfRefused('form_without_appearance', 'a field with a value has no appearance')
  }
}

function isText(value: PdfObject): boolean {
  if (isArray(value)) return value.items.length > 0
  return typeof value === 'object' && value !== null && value.kind === 'string' && value.bytes.length > 0
}
