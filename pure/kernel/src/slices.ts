/**
 * A long text in parts of about this many characters, none of which splits a character: work on megabytes must let other
 * work run in between.
 */
export function* textSlices(text: string, length = 1_048_576): Generator<string> {
  let at = 0
  while (at < text.length) {
    const end = at + length
    const next = isFirstOfTwo(text.charCodeAt(end - 1)) ? end + 1 : end
    yield text.slice(at, next)
    at = next
  }
}

function isFirstOfTwo(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff
}
