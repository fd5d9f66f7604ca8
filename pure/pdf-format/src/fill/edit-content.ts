import { bytesOf } from '../reader/characters.ts'

/** Bytes `[start, end)` of a content that are replaced. */
export interface Edit {
  readonly start: number
  readonly end: number
  /** One character per byte. */
  readonly text: string
}

/** Everything outside of the edits stays byte for byte. Edits do not overlap. */
export function editContent(content: Uint8Array, edits: readonly Edit[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  let at = 0
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    if (start < at) throw new Error('edits of a content overlap')
    parts.push(content.subarray(at, start), bytesOf(text))
    at = end
  }
  parts.push(content.subarray(at))
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let to = 0
  for (const part of parts) {
    result.set(part, to)
    to += part.length
  }
  return result
}
