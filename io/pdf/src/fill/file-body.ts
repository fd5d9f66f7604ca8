import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { PdfDict, PdfObject, PdfRef } from '@sealpost/pdf-format'
import { array, name, ref, withEntries, writeObject } from '../update/write-object.ts'

/** New numbers without gaps, in the order in which objects are referred to. */
export class Numbering {
  readonly #numbers = new Map<number, number>()
  readonly #waiting: { readonly old: number; readonly number: number }[] = []
  readonly #exists: (place: PdfRef) => boolean
  #at = 0
  #count = 0

  constructor(exists: (place: PdfRef) => boolean) {
    this.#exists = exists
  }

  readonly placeOf = (place: PdfRef): PdfRef | null => {
    if (!this.#exists(place)) return null
    const known = this.#numbers.get(place.number)
    if (known !== undefined) return ref(known)
    const number = this.reserve()
    this.#numbers.set(place.number, number)
    this.#waiting.push({ old: place.number, number })
    return ref(number)
  }

  next(): { readonly old: number; readonly number: number } | null {
    this.#at += 1
    return this.#waiting[this.#at - 1] ?? null
  }

  reserve(): number {
    this.#count += 1
    return this.#count
  }

  get size(): number {
    return this.#count + 1
  }
}

type TrailerOf = (size: number, id: PdfObject) => PdfDict

/** The bytes so far. */
class Output {
  readonly #chunks: Buffer[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  append(data: string | Uint8Array): void {
    const chunk = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data)
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** The same for the same bytes. */
  digest(): PdfObject {
    const hash = createHash('sha256')
    for (const chunk of this.#chunks) hash.update(chunk)
    return { kind: 'string', bytes: hash.digest().subarray(0, 16) }
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}

/** Objects one after the other, and a table of their offsets: what every version of the format has. */
export class PlainBody {
  readonly #output = new Output()
  readonly #offsets = new Map<number, number>()

  append(text: string): void {
    this.#output.append(text)
  }

  object(number: number, text: string): void {
    this.#offsets.set(number, this.#output.length)
    this.append(`${number} 0 obj\n${text}\nendobj\n`)
  }

  stream(number: number, head: string, data: Uint8Array): void {
    this.#offsets.set(number, this.#output.length)
    this.append(`${number} 0 obj\n${head}\nstream\n`)
    this.#output.append(data)
    this.append('\nendstream\nendobj\n')
  }

  finish(trailerOf: TrailerOf, numbering: Numbering): Buffer {
    const { size } = numbering
    const trailer = trailerOf(size, this.#output.digest())
    const start = this.#output.length
    const rows = Array.from({ length: size - 1 }, (_, at) => rowOf(this.#offsets.get(at + 1) ?? 0))
    this.append(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`)
    this.append(`trailer\n${writeObject(trailer, numbering.placeOf)}\nstartxref\n${start}\n%%EOF\n`)
    return this.#output.bytes()
  }
}

function rowOf(offset: number): string {
  return `${String(offset).padStart(10, '0')} 00000 n \n`
}

/** Objects of one container. */
const CONTAINED = 100
/** Type, offset or container, generation or index. */
const ROW_BYTES = 7

/** Objects in compressed containers, for files that have such: unpacked, they may be several times as large. */
export class PackedBody {
  readonly #output = new Output()
  readonly #rows = new Map<number, readonly [type: 1 | 2, second: number, third: number]>()
  readonly #waiting: { readonly number: number; readonly text: string }[] = []

  append(text: string): void {
    this.#output.append(text)
  }

  object(number: number, text: string): void {
    this.#waiting.push({ number, text })
  }

  stream(number: number, head: string, data: Uint8Array): void {
    this.#rows.set(number, [1, this.#output.length, 0])
    this.append(`${number} 0 obj\n${head}\nstream\n`)
    this.#output.append(data)
    this.append('\nendstream\nendobj\n')
  }

  finish(trailerOf: TrailerOf, numbering: Numbering): Buffer {
    for (let at = 0; at < this.#waiting.length; at += CONTAINED)
      this.#container(numbering.reserve(), this.#waiting.slice(at, at + CONTAINED))
    const id = this.#output.digest()
    const own = numbering.reserve()
    const start = this.#output.length
    this.#rows.set(own, [1, start, 0])
    const table = Buffer.alloc(numbering.size * ROW_BYTES)
    table.writeUInt16BE(65_535, 5)
    for (const [number, [type, second, third]] of this.#rows) {
      table.writeUInt8(type, number * ROW_BYTES)
      table.writeUInt32BE(second, number * ROW_BYTES + 1)
      table.writeUInt16BE(third, number * ROW_BYTES + 5)
    }
    const data = deflateSync(table)
    const members = { Type: name('XRef'), W: array(1, 4, 2), Filter: name('FlateDecode'), Length: data.length }
    const trailer = withEntries(trailerOf(numbering.size, id), members)
    this.stream(own, writeObject(trailer, numbering.placeOf), data)
    this.append(`startxref\n${start}\n%%EOF\n`)
    return this.#output.bytes()
  }

  #container(number: number, objects: readonly { readonly number: number; readonly text: string }[]): void {
    let offset = 0
    const head = objects.map((object, at) => {
      this.#rows.set(object.number, [2, number, at])
      const place = `${object.number} ${offset}`
      offset += object.text.length + 1
      return place
    })
    const first = `${head.join(' ')} `
    const data = deflateSync(Buffer.from(`${first}${objects.map(({ text }) => text).join('\n')}`, 'latin1'))
    const members = `/Type /ObjStm /N ${objects.length} /First ${first.length} /Filter /FlateDecode`
    this.stream(number, `<<${members} /Length ${data.length}>>`, data)
  }
}
