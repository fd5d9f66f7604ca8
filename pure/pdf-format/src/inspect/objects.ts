import { MAX_OBJECT_NUMBER } from '../reader/cross-reference.ts'
import { measureStream } from '../reader/decode.ts'
import type { PdfDocument } from '../reader/document.ts'
import {
  isArray,
  isDict,
  isName,
  isRef,
  isStream,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  type PdfStream,
} from '../reader/objects.ts'
import { damaged } from '../refusal.ts'
import { refuseActiveContent } from './active-content.ts'
import { refuseAmbiguousDrawing, refuseMissingColors } from './drawn-objects.ts'
import { refuseMissingObjects } from './missing-objects.ts'
import { refuseUnlistedData } from './unlisted-data.ts'

/**
 * Reads every object of the file, reachable or not: one that cannot be read makes viewers repair the file. Returns the
 * highest number that is used or referred to: an object that is added under a number that the file refers to would
 * appear in the pages that were signed.
 */
export function inspectObjects(document: PdfDocument): number {
  const walk: Walk = { document, highest: document.references.nextNumber - 1, missing: new Set() }
  for (const [number, place] of document.references.places) {
    if (place.type === 'free') continue
    const object = document.object(number)
    inspectObject(walk, object)
    if (isStream(object)) measure(document, object)
  }
  refuseUnlistedData(document)
  refuseMissingObjects(document, walk.missing)
  if (walk.highest >= MAX_OBJECT_NUMBER) throw damaged(`a reference to object ${walk.highest}`)
  return walk.highest
}

interface Walk {
  readonly document: PdfDocument
  highest: number
  /** Numbers of references that are null for this reader. */
  readonly missing: Set<number>
}

function inspectObject(walk: Walk, object: PdfObject): void {
  if (isRef(object)) inspectRef(walk, object)
  if (isArray(object)) for (const item of object.items) inspectObject(walk, item)
  if (isDict(object)) inspectDict(walk, object, false)
  if (isStream(object)) inspectDict(walk, object.dict, true)
}

function inspectRef(walk: Walk, { number, generation }: PdfRef): void {
  walk.highest = Math.max(walk.highest, number)
  if (walk.document.generationOf(number) !== generation) walk.missing.add(number)
}

function inspectDict(walk: Walk, dict: PdfDict, isOfStream: boolean): void {
  refuseActiveContent(walk.document, dict, isOfStream)
  refuseAmbiguousDrawing(walk.document, dict, isOfStream)
  for (const value of dict.entries.values()) inspectObject(walk, value)
}

/** Pictures are as large as their sides say, and viewers scale them down; structure streams were measured when read. */
function measure(document: PdfDocument, stream: PdfStream): void {
  const { entries } = stream.dict
  if (isName(entries.get('Type'), 'XRef') || isName(entries.get('Type'), 'ObjStm')) return
  if (isName(document.get(stream.dict, 'Subtype'), 'Image')) {
    refuseMissingColors(document, stream)
    return
  }
  measureStream(stream, document.filters(stream.dict), document.budget)
}
