import { PDF_LIMITS } from '../limits.ts'
import { damaged, PdfRefused } from '../refusal.ts'
import type { Budget } from './budget.ts'
import { inflate } from './inflate.ts'
import { isArray, isDict, isName, type PdfDict, type PdfObject, type PdfStream } from './objects.ts'

/**
 * The bytes of a stream that describes the file itself (cross-references, objects). Other filters than Flate are not
 * used for these by any producer.
 */
export function decodeStructure(stream: PdfStream, budget: Budget): Uint8Array {
  const filters = filtersOf(stream.dict)
  if (filters.some((filter) => filter !== 'FlateDecode') || filters.length > 1)
    throw damaged(`a stream of objects has the filters ${filters.join(', ')}`)
  if (filters.length === 0) return stream.raw
  const parameters = stream.dict.entries.get('DecodeParms') ?? null
  const only = isArray(parameters) ? (parameters.items[0] ?? null) : parameters
  return applyPredictor(inflateWithin(stream.raw, budget), only)
}

/** Inflates as long as the next filter is Flate, so that no bomb reaches a viewer; the result is not used. */
export function measureStream(stream: PdfStream, filters: readonly string[], budget: Budget): void {
  if (filters.length > PDF_LIMITS.filters) throw new PdfRefused('too_complex', 'a stream has too many filters')
  let bytes = stream.raw
  for (const filter of filters) {
    if (filter !== 'FlateDecode' && filter !== 'Fl') return
    bytes = inflateWithin(bytes, budget)
  }
}

export function inflateWithin(data: Uint8Array, budget: Budget): Uint8Array {
  const { bytes, cost } = inflate(data, Math.min(PDF_LIMITS.streamBytes, budget.decodedLeft))
  budget.takeDecoded(cost)
  return bytes
}

/** Filters that are written in the dictionary itself, as those of structure streams must be. */
function filtersOf(dict: PdfDict): readonly string[] {
  const filter = dict.entries.get('Filter') ?? null
  const list: readonly PdfObject[] = isArray(filter) ? filter.items : filter === null ? [] : [filter]
  return list.map((item) => {
    if (!isName(item)) throw damaged('a filter is not a name')
    return item.name
  })
}

function applyPredictor(bytes: Uint8Array, parameters: PdfObject): Uint8Array {
  if (!isDict(parameters)) return bytes
  const predictor = parameters.entries.get('Predictor') ?? 1
  if (predictor === 1) return bytes
  const columns = parameters.entries.get('Columns') ?? 1
  const isPlain =
    (parameters.entries.get('Colors') ?? 1) === 1 && (parameters.entries.get('BitsPerComponent') ?? 8) === 8
  if (typeof predictor !== 'number' || predictor < 10 || predictor > 15 || !isPlain)
    throw damaged('a stream of objects has an unknown predictor')
  if (typeof columns !== 'number' || !Number.isInteger(columns) || columns < 1 || columns > 64)
    throw damaged('a stream of objects has an invalid number of columns')
  return undoPng(bytes, columns)
}

function undoPng(bytes: Uint8Array, columns: number): Uint8Array {
  const rows = Math.floor(bytes.length / (columns + 1))
  const result = new Uint8Array(rows * columns)
  for (let row = 0; row < rows; row += 1) {
    const type = bytes[row * (columns + 1)] ?? 0
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column
      const left = column === 0 ? 0 : (result[at - 1] ?? 0)
      const above = row === 0 ? 0 : (result[at - columns] ?? 0)
      const corner = row === 0 || column === 0 ? 0 : (result[at - columns - 1] ?? 0)
      result[at] = (bytes[row * (columns + 1) + 1 + column] ?? 0) + predicted(type, left, above, corner)
    }
  }
  return result
}

function predicted(type: number, left: number, above: number, corner: number): number {
  if (type === 0) return 0
  if (type === 1) return left
  if (type === 2) return above
  if (type === 3) return (left + above) >> 1
  if (type !== 4) throw damaged('a row has an unknown predictor')
  const estimate = left + above - corner
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((one) => Math.abs(estimate - one))
  if ((toLeft ?? 0) <= (toAbove ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left
  return (toAbove ?? 0) <= (toCorner ?? 0) ? above : corner
}
