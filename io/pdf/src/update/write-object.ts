import type { PdfDict, PdfObject, PdfRef } from '@sealpost/pdf-format'

/**
 * The object as text, one character per byte; streams are written by the update, which knows their data. `placeOf` gives
 * references other numbers.
 */
export function writeObject(object: PdfObject, placeOf: (ref: PdfRef) => PdfRef | null = (ref) => ref): string {
  if (object === null || typeof object === 'boolean') return String(object)
  if (typeof object === 'number') return writeNumber(object)
  switch (object.kind) {
    case 'name':
      return writeName(object.name)
    case 'string':
      return `<${Buffer.from(object.bytes).toString('hex')}>`
    case 'ref':
      return writeRef(placeOf(object))
    case 'array':
      return `[${object.items.map((item) => writeObject(item, placeOf)).join(' ')}]`
    case 'dict':
      return `<<${Array.from(object.entries, ([key, value]) => `${writeName(key)} ${writeObject(value, placeOf)}`).join(' ')}>>`
    case 'stream':
      throw new Error('a stream is an object of its own')
  }
}

function writeRef(place: PdfRef | null): string {
  return place === null ? 'null' : `${place.number} ${place.generation} R`
}

/** Without exponents, which the format does not have. */
function writeNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  return value.toFixed(8).replace(/\.?0+$/, '')
}

export function writeName(value: string): string {
  return `/${value.replaceAll(/[^!-~]|[#()<>[\]{}/%]/g, (one) => `#${one.charCodeAt(0).toString(16).padStart(2, '0')}`)}`
}

export function dict(entries: Readonly<Record<string, PdfObject>>): PdfDict {
  return { kind: 'dict', entries: new Map(Object.entries(entries)) }
}

/** A copy with other members. */
export function withEntries(base: PdfDict | null, entries: Readonly<Record<string, PdfObject>>): PdfDict {
  return { kind: 'dict', entries: new Map([...(base?.entries ?? []), ...Object.entries(entries)]) }
}

export function name(value: string): PdfObject {
  return { kind: 'name', name: value }
}

export function array(...items: readonly PdfObject[]): PdfObject {
  return { kind: 'array', items }
}

export function ref(objectNumber: number, generation = 0): PdfRef {
  return { kind: 'ref', number: objectNumber, generation }
}

/** Text of any language: UTF-16 with a byte order mark. */
export function text(value: string): PdfObject {
  const bytes = Buffer.from(`\u{feff}${value}`, 'utf16le').swap16()
  return { kind: 'string', bytes }
}
