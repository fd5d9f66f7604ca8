import { PDF_LIMITS } from '../limits.ts'
import { damaged } from '../refusal.ts'
import { Budget } from './budget.ts'
import {
  type ByteRange,
  type CrossReferences,
  type Place,
  readCrossReferences,
  type Superseded,
} from './cross-reference.ts'
import { decodeStructure } from './decode.ts'
import { readIndirectAt } from './indirect.ts'
import { Lexer } from './lexer.ts'
import { isArray, isCount, isDict, isName, isRef, isStream, type PdfDict, type PdfObject } from './objects.ts'
import { parseObject } from './parser.ts'

/** A file whose objects are read on demand. Every method throws `PdfRefused` for a file that would need repair. */
export class PdfDocument {
  readonly bytes: Uint8Array
  readonly references: CrossReferences
  readonly budget: Budget
  readonly #objects = new Map<number, PdfObject>()
  readonly #containers = new Map<number, ReadonlyMap<number, PdfObject>>()
  /** Of the containers: the numbers of their objects, in order. */
  readonly #indices = new Map<number, readonly number[]>()
  readonly #pending = new Set<number>()
  readonly #ranges: ByteRange[] = []

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.budget = new Budget(bytes.length)
    this.references = readCrossReferences(bytes, this.budget)
  }

  /** Null for objects that do not exist, as the format has it. */
  object(number: number): PdfObject {
    const known = this.#objects.get(number)
    if (known !== undefined) return known
    const place = this.references.places.get(number)
    if (place === undefined || place.type === 'free') return null
    if (this.#pending.has(number)) throw damaged(`object ${number} is needed to read itself`)
    this.#pending.add(number)
    const object = this.#read(number, place)
    this.#pending.delete(number)
    this.#objects.set(number, object)
    return object
  }

  /** Follows references. */
  resolve(object: PdfObject | undefined): PdfObject {
    let current = object ?? null
    for (let hop = 0; isRef(current); hop += 1) {
      if (hop > PDF_LIMITS.nesting) throw damaged('references form a circle')
      if (this.generationOf(current.number) !== current.generation) return null
      current = this.object(current.number)
    }
    return current
  }

  get(dict: PdfDict, key: string): PdfObject {
    return this.resolve(dict.entries.get(key))
  }

  catalog(): PdfDict {
    const catalog = this.get(this.references.trailer, 'Root')
    if (!isDict(catalog)) throw damaged('the file has no catalog')
    return catalog
  }

  /** The names of the filters of a stream. */
  filters(dict: PdfDict): readonly string[] {
    const filter = this.get(dict, 'Filter')
    const list = isArray(filter) ? filter.items.map((item) => this.resolve(item)) : filter === null ? [] : [filter]
    return list.map((item) => {
      if (!isName(item)) throw damaged('a filter is not a name')
      return item.name
    })
  }

  /** Null for an object that does not exist. */
  generationOf(number: number): number | null {
    const place = this.references.places.get(number)
    if (place === undefined || place.type === 'free') return null
    return place.type === 'offset' ? place.generation : 0
  }

  /** The bytes of the objects that were read, without those in streams of objects. */
  get ranges(): readonly ByteRange[] {
    return this.#ranges
  }

  /** Those of the streams of objects that were read. */
  *containedNumbers(): Generator<number> {
    for (const container of this.#containers.values()) yield* container.keys()
  }

  /** The bytes of an object of a former revision. */
  supersededRange({ number, offset, section }: Superseded): ByteRange {
    const found = readIndirectAt(this, offset, (ref) => this.#lengthAt(ref.number, section))
    if (found.number !== number) throw damaged(`object ${number} was not at its offset`)
    return found
  }

  /** A length that is an object of its own, as it was in a former revision. */
  #lengthAt(number: number, section: number): PdfObject {
    const { sectionOf, superseded } = this.references
    if ((sectionOf.get(number) ?? 0) >= section) return this.object(number)
    const old = superseded.get(number)?.find((one) => one.section >= section)
    return old === undefined ? this.object(number) : readIndirectAt(this, old.offset, null).object
  }

  #read(number: number, place: Exclude<Place, { readonly type: 'free' }>): PdfObject {
    if (place.type === 'stream') return this.#readContained(number, place)
    const found = readIndirectAt(this, place.offset, (ref) => this.resolve(ref))
    if (found.number !== number || found.generation !== place.generation)
      throw damaged(`object ${number} is not at its offset`)
    this.#ranges.push({ start: found.start, end: found.end })
    return found.object
  }

  /** Viewers find it by its number or by its index. */
  #readContained(number: number, { stream, index }: Extract<Place, { readonly type: 'stream' }>): PdfObject {
    if (this.references.places.get(stream)?.type !== 'offset') throw damaged(`object ${number} has no container`)
    const container = this.#containers.get(stream) ?? this.#openContainer(stream)
    const object = container.get(number)
    if (object === undefined || this.#indices.get(stream)?.[index] !== number)
      throw damaged(`object ${number} is not in its container`)
    return object
  }

  #openContainer(number: number): ReadonlyMap<number, PdfObject> {
    const stream = this.object(number)
    if (!isStream(stream) || !isName(stream.dict.entries.get('Type'), 'ObjStm'))
      throw damaged(`object ${number} is not a stream of objects`)
    const count = this.get(stream.dict, 'N')
    const first = this.get(stream.dict, 'First')
    if (!isCount(count) || !isCount(first) || count > PDF_LIMITS.objects)
      throw damaged('a stream of objects is not valid')
    const objects = readContained(decodeStructure(stream, this.budget), count, first, this.budget)
    this.#containers.set(number, objects)
    this.#indices.set(number, [...objects.keys()])
    return objects
  }
}

function readContained(data: Uint8Array, count: number, first: number, budget: Budget): ReadonlyMap<number, PdfObject> {
  const head = new Lexer(data.subarray(0, first), 0, budget)
  const objects = new Map<number, PdfObject>()
  for (let index = 0; index < count; index += 1) {
    const [number, offset] = [parseObject(head), parseObject(head)]
    if (!isCount(number) || !isCount(offset)) throw damaged('a stream of objects is not valid')
    if (objects.has(number)) throw damaged(`object ${number} stands twice in its container`)
    const body = new Lexer(data, first + offset, budget)
    objects.set(number, parseObject(body))
    budget.takeSteps(body.at - first - offset)
  }
  return objects
}
