import { isDigit, isWhitespace, startsWith } from '../reader/characters.ts'
import type { ByteRange } from '../reader/cross-reference.ts'
import type { PdfDocument } from '../reader/document.ts'
import { damaged, PdfRefused } from '../refusal.ts'

/**
 * Between the objects and sections of a file are comments and nothing else: viewers that rebuild the list of objects
 * would find there what this reader does not see. Objects of former revisions are listed by their sections. All objects
 * must have been read.
 */
export function refuseUnlistedData(document: PdfDocument): void {
  const { sections, superseded } = document.references
  const old = [...superseded.values()].flat().map((one) => document.supersededRange(one))
  let at = 0
  for (const range of inOrder([...document.ranges, ...sections, ...old])) {
    if (range.start < at) throw damaged(`two objects share the bytes at ${range.start}`)
    requireNothing(document.bytes, at, range.start)
    at = range.end
  }
  requireNothing(document.bytes, at, document.bytes.length)
}

/** A section that is a stream is an object, too; and sections may list the same object. */
function inOrder(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const byStart = new Map(ranges.map((range) => [range.start, range]))
  return [...byStart.values()].toSorted((one, other) => one.start - other.start)
}

const START = 'startxref'

function requireNothing(bytes: Uint8Array, start: number, end: number): void {
  let at = start
  while (at < end) {
    if (isWhitespace(bytes[at])) at += 1
    else if (bytes[at] === 0x25) at = endOfLine(bytes, at)
    else if (startsWith(bytes, at, START)) at = endOfNumber(bytes, at + START.length)
    else throw new PdfRefused('unlisted_data', `no section lists what is at ${at}`)
  }
}

function endOfLine(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1
  return at
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start
  while (isWhitespace(bytes[at])) at += 1
  while (isDigit(bytes[at])) at += 1
  return at
}
