import type { OpenedPdf, PdfDict, PdfDocument, PdfObject, PdfRef } from '@sealpost/pdf-format'
import type { ObjectWriter } from './object-writer.ts'
import { array, name, ref, withEntries, writeObject } from './write-object.ts'

/** An incremental update: objects that are appended to a file, which stays as it is. */
export class Update implements ObjectWriter {
  readonly #document: PdfDocument
  readonly #chunks: Buffer[] = []
  readonly #offsets = new Map<number, { readonly offset: number; readonly generation: number }>()
  #length: number
  #next: number

  constructor({ document, nextNumber }: OpenedPdf) {
    this.#document = document
    this.#length = document.bytes.length
    this.#next = nextNumber
    this.append('\n')
  }

  /** The offset of the next byte in the whole file. */
  get offset(): number {
    return this.#length
  }

  reserve(): PdfRef {
    this.#next += 1
    return ref(this.#next - 1)
  }

  write(place: PdfRef, object: PdfObject): void {
    this.begin(place)
    this.append(`${writeObject(object)}\nendobj\n`)
  }

  /** Returns the offset of the data. */
  writeStream(place: PdfRef, entries: PdfDict, data: Uint8Array): number {
    this.begin(place)
    this.append(`${writeObject(withEntries(entries, { Length: data.length }))}\nstream\n`)
    const start = this.offset
    this.append(data)
    this.append('\nendstream\nendobj\n')
    return start
  }

  begin({ number, generation }: PdfRef): void {
    this.#offsets.set(number, { offset: this.#length, generation })
    this.append(`${number} ${generation} obj\n`)
  }

  append(data: string | Uint8Array): void {
    const chunk = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data)
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** Ends the update with a section of the kind that the file has; its readers expect that. */
  finish(id: PdfObject): Buffer {
    const { references } = this.#document
    const trailer = ['Root', 'Info'].flatMap((key) => {
      const value = references.trailer.entries.get(key)
      return value === undefined ? [] : [[key, value] as const]
    })
    const start = references.isStream ? this.#appendStream(trailer, id) : this.#appendTable(trailer, id)
    this.append(`startxref\n${start}\n%%EOF\n`)
    return Buffer.concat(this.#chunks)
  }

  #appendTable(trailer: readonly (readonly [string, PdfObject])[], id: PdfObject): number {
    const start = this.#length
    this.append('xref\n')
    for (const [number, { offset, generation }] of this.#rows())
      this.append(`${number} 1\n${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`)
    const end = {
      Size: this.#next,
      Prev: this.#document.references.startOffset,
      ...Object.fromEntries(trailer),
      ID: id,
    }
    this.append(`trailer\n${writeObject(withEntries(null, end))}\n`)
    return start
  }

  #appendStream(trailer: readonly (readonly [string, PdfObject])[], id: PdfObject): number {
    const place = this.reserve()
    const start = this.#length
    this.#offsets.set(place.number, { offset: start, generation: 0 })
    const rows = this.#rows()
    const data = Buffer.alloc(rows.length * ROW_BYTES)
    for (const [index, [, { offset, generation }]] of rows.entries()) {
      data.writeUInt8(1, index * ROW_BYTES)
      data.writeUInt32BE(offset, index * ROW_BYTES + 1)
      data.writeUInt16BE(generation, index * ROW_BYTES + 5)
    }
    const entries = withEntries(null, {
      Type: name('XRef'),
      Size: this.#next,
      Prev: this.#document.references.startOffset,
      W: array(1, 4, 2),
      Index: array(...rows.flatMap(([number]) => [number, 1])),
      ...Object.fromEntries(trailer),
      ID: id,
    })
    this.writeStream(place, entries, data)
    return start
  }

  #rows() {
    return [...this.#offsets].toSorted(([one], [other]) => one - other)
  }
}

/** Type, offset, generation. */
const ROW_BYTES = 7
