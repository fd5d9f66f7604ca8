import {
  isArray,
  isRef,
  isStream,
  type OpenedPdf,
  type PdfDict,
  type PdfDocument,
  type PdfObject,
  type PdfRef,
} from '@sealpost/pdf-format'
import type { ObjectWriter } from '../update/object-writer.ts'
import { array, ref, withEntries, writeObject } from '../update/write-object.ts'
import { Numbering, PackedBody, PlainBody } from './file-body.ts'

/**
 * A file with other versions of some objects, written anew: only objects that are in use, so that nothing of what was
 * replaced stays behind, as it would in an incremental update.
 */
export class Rewrite implements ObjectWriter {
  readonly #document: PdfDocument
  readonly #changed = new Map<number, PdfObject>()
  readonly #firstNew: number
  #next: number

  constructor({ document, nextNumber }: OpenedPdf) {
    this.#document = document
    this.#firstNew = nextNumber
    this.#next = nextNumber
  }

  reserve(): PdfRef {
    this.#next += 1
    return ref(this.#next - 1)
  }

  write(place: PdfRef, object: PdfObject): void {
    this.#changed.set(place.number, object)
  }

  writeStream(place: PdfRef, entries: PdfDict, data: Uint8Array): void {
    this.#changed.set(place.number, { kind: 'stream', dict: entries, raw: data })
  }

  /** Follows a reference: the new version, if there is one. */
  resolve(object: PdfObject | undefined): PdfObject {
    const changed = isRef(object) ? this.#changed.get(object.number) : undefined
    return changed ?? this.#document.resolve(object)
  }

  /** `refine` sees every object before it is written. */
  finish(refine: (object: PdfObject) => PdfObject): Buffer {
    const { references } = this.#document
    const numbering = new Numbering((place) => this.#exists(place))
    const roots = ['Root', 'Info'].flatMap((key) => {
      const value = references.trailer.entries.get(key)
      return value === undefined ? [] : [[key, refine(value)] as const]
    })
    const trailer = withEntries(null, Object.fromEntries(roots))
    writeObject(trailer, numbering.placeOf)
    const body = references.isStream ? new PackedBody() : new PlainBody()
    body.append(`%PDF-${versionOf(this.#document.bytes)}\n%\u{e2}\u{e3}\u{cf}\u{d3}\n`)
    for (let place = numbering.next(); place !== null; place = numbering.next()) {
      const object = refine(this.#resolveOnce(place.old))
      if (isStream(object)) {
        const head = withEntries(object.dict, { Length: object.raw.length })
        body.stream(place.number, writeObject(head, numbering.placeOf), object.raw)
      } else body.object(place.number, writeObject(object, numbering.placeOf))
    }
    return body.finish((size, id) => withEntries(trailer, { Size: size, ID: this.#idOf(id) }), numbering)
  }

  #exists(place: PdfRef): boolean {
    return this.#changed.has(place.number) || this.#document.resolve(place) !== null
  }

  #resolveOnce(number: number): PdfObject {
    const changed = this.#changed.get(number)
    if (changed !== undefined) return changed
    return number >= this.#firstNew ? null : this.#document.object(number)
  }

  /** The first part stays for the life of a file; the second is that of this content. */
  #idOf(own: PdfObject): PdfObject {
    const known = this.#document.get(this.#document.references.trailer, 'ID')
    const first = isArray(known) ? this.#document.resolve(known.items[0]) : null
    return array(first ?? own, own)
  }
}

function versionOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return /^%PDF-(\d\.\d)/.exec(head)?.[1] ?? '1.7'
}
