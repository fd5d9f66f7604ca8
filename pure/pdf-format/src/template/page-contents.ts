import type { InterpreterNeeds } from '../content/interpreter.ts'
import { UnreadableContent } from '../content/unreadable.ts'
import { isArray, isStream, type PdfDict } from '../reader/objects.ts'

/** All parts of the content of a page as one: operators may be cut between parts. */
export function readPageContent({ document, streams, budget }: InterpreterNeeds, page: PdfDict): Uint8Array {
  const stated = document.get(page, 'Contents')
  const list = isArray(stated) ? stated.items.map((item) => document.resolve(item)) : [stated]
  const parts = list.filter(isStream).map((stream) => decoded(streams.read(stream)))
  if (parts.length === 1 && parts[0] !== undefined) return parts[0]
  const length = parts.reduce((sum, part) => sum + part.length + 1, 0)
  // One part may be listed many times.
  budget.streams.takeDecoded(length)
  return joined(parts, length)
}

function decoded(bytes: ReturnType<InterpreterNeeds['streams']['read']>): Uint8Array {
  if (bytes === null) throw new UnreadableContent('a page content has an unknown filter')
  return bytes
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length).fill(0x0a)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length + 1
  }
  return whole
}
