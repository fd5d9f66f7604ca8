import { initialState } from '../content/graphics-state.ts'
import { drawForm, formMatrix, type InterpreterNeeds, type Shown } from '../content/interpreter.ts'
import { type Box, IDENTITY, type Matrix, transformBox } from '../content/matrix.ts'
import { PDF_LIMITS } from '../limits.ts'
import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isName, isStream, type PdfDict, type PdfObject, type PdfStream } from '../reader/objects.ts'
import { type FieldFacts, readField } from './fields.ts'
import { keyOfName } from './find-tags.ts'

/** A form field whose name is a key. */
export interface FoundField extends FieldFacts {
  readonly key: string
  readonly widget: PdfDict
  readonly box: Box
}

export interface PageAnnotations {
  readonly fields: readonly FoundField[]
  /** Names in braces that are no keys. */
  readonly wrongNames: readonly string[]
}

const HIDDEN = 2

/** The form fields of a page; all other annotations are drawn like forms. */
export function readAnnotations(needs: InterpreterNeeds, shown: Shown, page: PdfDict): PageAnnotations {
  const { document, budget } = needs
  const list = document.get(page, 'Annots')
  const fields: FoundField[] = []
  const wrongNames: string[] = []
  for (const item of isArray(list) ? list.items : []) {
    budget.takeTokens(PDF_LIMITS.formDepth)
    const annotation = document.resolve(item)
    if (!isDict(annotation) || isHidden(document, annotation)) continue
    const box = boxOfAnnotation(document, annotation)
    const field = isName(document.get(annotation, 'Subtype'), 'Widget') ? readField(document, annotation) : null
    const name = field?.name ?? null
    const key = name === null ? null : keyOfName(name)
    if (key !== null && field !== null && box !== null) {
      fields.push({ ...field, key, widget: annotation, box })
      continue
    }
    if (name?.includes('{{')) wrongNames.push(name)
    const form = appearanceOf(document, annotation)
    if (form !== null && box !== null) drawAppearance(needs, shown, form, box)
  }
  return { fields, wrongNames }
}

function isHidden(document: PdfDocument, annotation: PdfDict): boolean {
  const flags = document.get(annotation, 'F')
  return typeof flags === 'number' && (flags & HIDDEN) !== 0
}

function boxOfAnnotation(document: PdfDocument, annotation: PdfDict): Box | null {
  return boxFrom(document, document.get(annotation, 'Rect'))
}

function boxFrom(document: PdfDocument, stated: PdfObject): Box | null {
  const sides = isArray(stated) ? stated.items.map((item) => document.resolve(item)) : []
  const [x1, y1, x2, y2] = sides
  if (typeof x1 !== 'number' || typeof y1 !== 'number' || typeof x2 !== 'number' || typeof y2 !== 'number') return null
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
}

/** The normal appearance; one of several states is named by `AS`, unless another one is asked for. */
export function appearanceOf(document: PdfDocument, annotation: PdfDict, asked?: string): PdfStream | null {
  const appearances = document.get(annotation, 'AP')
  const normal = isDict(appearances) ? document.get(appearances, 'N') : null
  if (isStream(normal)) return normal
  const stated = document.get(annotation, 'AS')
  const state = asked ?? (isName(stated) ? stated.name : null)
  const chosen = isDict(normal) && state !== null ? document.get(normal, state) : null
  return isStream(chosen) ? chosen : null
}

/** The states that a button has, such as `Yes` and `Off`. */
export function statesOf(document: PdfDocument, annotation: PdfDict): readonly string[] {
  const appearances = document.get(annotation, 'AP')
  const normal = isDict(appearances) ? document.get(appearances, 'N') : null
  return isDict(normal) ? [...normal.entries.keys()] : []
}

/** Draws an appearance into the box of its annotation. */
function drawAppearance(needs: InterpreterNeeds, shown: Shown, form: PdfStream, target: Box): void {
  const ctm = appearanceMatrix(needs.document, form, target)
  if (ctm === null) return
  drawForm(needs, shown, form, { resources: null, state: initialState(ctm), within: [], mark: null })
}

/** The box of the appearance is fitted into that of the annotation; null for one without a box. */
export function appearanceMatrix(document: PdfDocument, form: PdfStream, target: Box): Matrix | null {
  const own = boxFrom(document, document.get(form.dict, 'BBox'))
  if (own === null) return null
  const placed = transformBox(formMatrix(document, form), own)
  const [width, height] = [placed.right - placed.left, placed.top - placed.bottom]
  if (!(width > 0 && height > 0)) return IDENTITY
  const [scaleX, scaleY] = [(target.right - target.left) / width, (target.top - target.bottom) / height]
  return [scaleX, 0, 0, scaleY, target.left - placed.left * scaleX, target.bottom - placed.bottom * scaleY]
}
