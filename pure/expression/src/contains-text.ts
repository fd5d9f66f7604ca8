/** Up to this length the built-in search has a bounded number of steps per character. */
const SHORT = 64

/**
 * Whether a text occurs in another, in time linear in both. The built-in search takes quadratic time when a long needle
 * nearly occurs everywhere, and both texts may come from an attacker.
 */
export function containsText(text: string, needle: string): boolean {
  if (needle.length <= SHORT || needle.length > text.length) return text.includes(needle)
  const borders = bordersOf(needle)
  let matched = 0
  for (let at = 0; at < text.length; at += 1) {
    matched = extend(needle, borders, matched, text.charCodeAt(at))
    if (matched === needle.length) return true
  }
  return false
}

/** Knuth, Morris and Pratt: after so many matched characters, how many still match when the needle is moved on. */
function bordersOf(needle: string): Uint32Array {
  const borders = new Uint32Array(needle.length + 1)
  for (let length = 1; length < needle.length; length += 1) {
    borders[length + 1] = extend(needle, borders, borders[length] ?? 0, needle.charCodeAt(length))
  }
  return borders
}

function extend(needle: string, borders: Uint32Array, matched: number, unit: number): number {
  let kept = matched
  while (kept > 0 && needle.charCodeAt(kept) !== unit) kept = borders[kept] ?? 0
  return needle.charCodeAt(kept) === unit ? kept + 1 : 0
}
