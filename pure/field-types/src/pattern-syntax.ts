/**
 * Writes an ECMAScript pattern (flag u) in RE2's syntax, so that a match means the same in both. Null for what only one
 * of the two has, or what they read differently. The caller has made sure that it is valid ECMAScript.
 */
export function translatePattern(pattern: string): string | null {
  let translated = ''
  let inClass = false
  for (const token of tokens(pattern)) {
    const text = inClass ? classToken(token) : plainToken(token)
    if (text === null) return null
    translated += text
    if (token.startsWith('[')) inClass = true
    else if (token === ']') inClass = false
  }
  return translated
}

// RE2's \s is ASCII only and its dot stops at \n only; ECMAScript's are wider.
const SPACES = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
const NOT_SPACES = [
  String.raw`\x{0}-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}`,
  String.raw`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`,
].join('')
const NOT_LINE_ENDS = String.raw`[^\n\r\x{2028}\x{2029}]`

const TOKEN =
  /\\u\{[0-9a-fA-F]+\}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^]|\(\?[^]|\[\^?|[^]/gu

function tokens(pattern: string): readonly string[] {
  return pattern.match(TOKEN) ?? []
}

function plainToken(token: string): string | null {
  if (token === '.') return NOT_LINE_ENDS
  if (token === String.raw`\s`) return `[${SPACES}]`
  if (token === String.raw`\S`) return `[^${SPACES}]`
  // (?i: and (?s: change what follows; (?= (?! (?<= are look-around, which RE2 refuses by itself.
  if (token.startsWith('(?') && token !== '(?:' && token !== '(?<') return null
  return codePoint(token)
}

function classToken(token: string): string | null {
  if (token === String.raw`\s`) return SPACES
  if (token === String.raw`\S`) return NOT_SPACES
  return codePoint(token)
}

/** Surrogates alone are no characters: a pattern that names one is outside the subset. */
function codePoint(token: string): string | null {
  if (!token.startsWith(String.raw`\u`)) return token
  const text = unescaped(token)
  const code = text.codePointAt(0) ?? 0
  return code >= 0xd800 && code <= 0xdfff ? null : String.raw`\x{${code.toString(16)}}`
}

function unescaped(token: string): string {
  if (token.startsWith(String.raw`\u{`)) return String.fromCodePoint(Number.parseInt(token.slice(3, -1), 16))
  const units = token.split(String.raw`\u`).slice(1)
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)))
}
