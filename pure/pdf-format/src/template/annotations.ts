import { initialState } from '../content/graphics-state.ts'
import { drawForm, formMatrix, type InterpreterNeeds, type Shown } from '../content/interpreter.ts'
import { type Box, IDENTITY, type Matrix, transformBox } from '../content/matrix.ts'
import { PDF_LIMITS } from '../limits.ts'
import { latin1 } from '../reader/characters.ts'
import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isName, isStream, type PdfDict, type PdfObject, type PdfStream } from '../reader/objects.ts'
import { keyOfName } from './find-tags.ts'

/** A form field whose name is a key. */
export interface FoundField {
  readonly key: string
  readonly widget: PdfDict
  readonly box: Box
  readonly fontSize: number
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
    const name = isName(document.get(annotation, 'Subtype'), 'Widget') ? fieldName(document, annotation) : null
    const key = name === null ? null : keyOfName(name)
    if (key !== null && box !== null) {
      fields.push({ key, widget: annotation, box, fontSize: sizeOf(document, annotation) })
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

/** The partial names from the root on, joined by dots; null for signatures and buttons to push. */
function fieldName(document: PdfDocument, widget: PdfDict): string | null {
  const names: string[] = []
  let type: PdfObject = null
  let field: PdfObject = widget
  for (let level = 0; isDict(field) && level < PDF_LIMITS.contentNesting; level += 1) {
    const own = document.get(field, 'T')
    if (typeof own === 'object' && own?.kind === 'string') names.unshift(textOf(own.bytes))
    type ??= document.get(field, 'FT')
    field = document.get(field, 'Parent')
  }
  const isFilled = isName(type, 'Tx') || isName(type, 'Ch') || isName(type, 'Btn')
  return isFilled && names.length > 0 ? names.join('.') : null
}

const MAX_NAME_BYTES = 1024

/** PDFDocEncoding, which is Latin-1 for what keys are made of, or UTF-16 with its mark. */
function textOf(bytes: Uint8Array): string {
  const short = bytes.subarray(0, MAX_NAME_BYTES)
  if (short[0] !== 0xfe || short[1] !== 0xff) return latin1(short)
  let text = ''
  for (let at = 2; at + 1 < short.length; at += 2)
    text += String.fromCharCode(((short[at] ?? 0) << 8) | (short[at + 1] ?? 0))
  return text
}

/** `/Helv 12 Tf 0 g` */
function sizeOf(document: PdfDocument, widget: PdfDict): number {
  let field: PdfObject = widget
  for (let level = 0; isDict(field) && level < PDF_LIMITS.contentNesting; level += 1) {
    const stated = document.get(field, 'DA')
    if (typeof stated === 'object' && stated?.kind === 'string') {
      const size = Number(/([\d.]{1,10})\s{1,4}Tf/.exec(latin1(stated.bytes.subarray(0, MAX_NAME_BYTES)))?.[1])
      return Number.isFinite(size) ? size : 0
    }
    field = document.get(field, 'Parent')
  }
  return 0
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

/** The normal appearance; one of several states is named by `AS`. */
function appearanceOf(document: PdfDocument, annotation: PdfDict): PdfStream | null {
  const appearances = document.get(annotation, 'AP')
  const normal = isDict(appearances) ? document.get(appearances, 'N') : null
  if (isStream(normal)) return normal
  const state = document.get(annotation, 'AS')
  const chosen = isDict(normal) && isName(state) ? document.get(normal, state.name) : null
  return isStream(chosen) ? chosen : null
}

/** The box of the appearance is fitted into that of the annotation. */
function drawAppearance(needs: InterpreterNeeds, shown: Shown, form: PdfStream, target: Box): void {
  const { document } = needs
  const own = boxFrom(document, document.get(form.dict, 'BBox'))
  if (own === null) return
  const placed = transformBox(formMatrix(document, form), own)
  const [width, height] = [placed.right - placed.left, placed.top - placed.bottom]
  const scaleX = width > 0 ? (target.right - target.left) / width : 1
  const scaleY = height > 0 ? (target.top - target.bottom) / height : 1
  const ctm: Matrix =
    width > 0 && height > 0
      ? [scaleX, 0, 0, scaleY, target.left - placed.left * scaleX, target.bottom - placed.bottom * scaleY]
      : IDENTITY
  drawForm(needs, shown, form, { resources: null, state: initialState(ctm), within: [] })
}
