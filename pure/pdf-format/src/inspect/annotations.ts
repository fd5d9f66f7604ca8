import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isName, isStream, type PdfDict, type PdfObject } from '../reader/objects.ts'
import { ambiguous, PdfRefused } from '../refusal.ts'
import { boxOf, type PageBox } from './pages.ts'

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
    refuseOverlaps(document, list.items.map((item) => document.resolve(item)).filter(isDict))
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
  if (hasLook) requireOneLook(document, annotation, isName(subtype, 'Widget'))
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

const PUSH_BUTTON = 65_536

/** A check box has a look for each state, and what has several says which one is shown. */
function requireOneLook(document: PdfDocument, annotation: PdfDict, isField: boolean): void {
  const appearances = document.get(annotation, 'AP')
  const normal = isDict(appearances) ? document.get(appearances, 'N') : null
  const flags = inherited(document, annotation, 'Ff')
  const isButton = isField && isName(inherited(document, annotation, 'FT'), 'Btn')
  const hasStates = isButton && (typeof flags !== 'number' || (flags & PUSH_BUTTON) === 0)
  const state = document.get(annotation, 'AS')
  if (isStream(normal)) {
    if (hasStates) throw ambiguous('a check box with one look')
    return
  }
  const isKnown = isName(state) && isDict(normal) && (state.name === 'Off' || normal.entries.has(state.name))
  if (!isKnown || (isField && !hasStates)) throw ambiguous('a look for another state')
}

function inherited(document: PdfDocument, field: PdfDict, key: string): PdfObject {
  const seen = new Set<PdfObject>()
  for (let one: PdfObject = field; isDict(one) && !seen.has(one); one = document.get(one, 'Parent')) {
    seen.add(one)
    const value = document.get(one, key)
    if (value !== null) return value
  }
  return null
}

const MOST_COMPARED = 1_000_000

/** Some viewers draw fields above everything else, others in the order of the list. */
function refuseOverlaps(document: PdfDocument, annotations: readonly PdfDict[]): void {
  const shown = annotations.filter((one) => hasAppearance(document, one))
  const fields = shown.filter((one) => isName(document.get(one, 'Subtype'), 'Widget'))
  const others = shown.filter((one) => !fields.includes(one) && !isName(document.get(one, 'Subtype'), 'Popup'))
  if (fields.length * others.length > MOST_COMPARED) throw new PdfRefused('too_complex', 'too many fields and comments')
  const places = others.map((one) => boxOf(document, document.get(one, 'Rect')))
  for (const field of fields) {
    const place = boxOf(document, document.get(field, 'Rect'))
    if (places.some((other) => place !== null && other !== null && overlap(place, other)))
      throw ambiguous('a comment above or below a field')
  }
}

function overlap(one: PageBox, other: PageBox): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    one.bottom < other.bottom + other.height &&
    other.bottom < one.bottom + one.height
  )
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
