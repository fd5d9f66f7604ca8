/** The objects of a PDF. Numbers, booleans and null are themselves. */
export type PdfObject = null | boolean | number | PdfName | PdfString | PdfRef | PdfArray | PdfDict | PdfStream

export interface PdfName {
  readonly kind: 'name'
  readonly name: string
}

export interface PdfString {
  readonly kind: 'string'
  readonly bytes: Uint8Array
}

export interface PdfRef {
  readonly kind: 'ref'
  readonly number: number
  readonly generation: number
}

export interface PdfArray {
  readonly kind: 'array'
  readonly items: readonly PdfObject[]
}

export interface PdfDict {
  readonly kind: 'dict'
  readonly entries: ReadonlyMap<string, PdfObject>
}

export interface PdfStream {
  readonly kind: 'stream'
  readonly dict: PdfDict
  /** As in the file: filters are not applied. */
  readonly raw: Uint8Array
}

export function kindOf(object: PdfObject | undefined): Exclude<PdfObject, null | boolean | number>['kind'] | null {
  return typeof object === 'object' && object !== null ? object.kind : null
}

export function isDict(object: PdfObject | undefined): object is PdfDict {
  return kindOf(object) === 'dict'
}

export function isStream(object: PdfObject | undefined): object is PdfStream {
  return kindOf(object) === 'stream'
}

export function isArray(object: PdfObject | undefined): object is PdfArray {
  return kindOf(object) === 'array'
}

export function isRef(object: PdfObject | undefined): object is PdfRef {
  return kindOf(object) === 'ref'
}

export function isName(object: PdfObject | undefined, name?: string): object is PdfName {
  return typeof object === 'object' && object?.kind === 'name' && (name === undefined || object.name === name)
}

export function isCount(object: PdfObject | undefined): object is number {
  return typeof object === 'number' && Number.isSafeInteger(object) && object >= 0
}

/** The dictionary of an object: itself, or that of a stream. */
export function dictOf(object: PdfObject | undefined): PdfDict | null {
  if (isDict(object)) return object
  return isStream(object) ? object.dict : null
}
