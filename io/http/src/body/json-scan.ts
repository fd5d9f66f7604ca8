/** Nesting that code behind the parser may follow by recursion. */
const DEEPEST = 256
/** Members and elements of one body; this many are parsed and checked in some ten milliseconds. */
const MOST_VALUES = 50_000

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * [Note: cost of a body] Finds bodies that cost more than their size suggests, before they are parsed: `JSON.parse` needs
 * microseconds and memory for each value, so 64 MiB of `{},` would occupy the process for many seconds. One pass over the
 * bytes, whatever they are; whether they are JSON is the parser's question. Returns the problem, or null.
 */
export function findExcess(bytes: Uint8Array): string | null {
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA) values += 1
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1
      depth += 1
      if (depth > DEEPEST) return `is nested deeper than ${DEEPEST} levels`
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
    if (values > MOST_VALUES) return `holds more than ${MOST_VALUES} values`
  }
  return null
}

/** The place of the closing quote, or the end. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
