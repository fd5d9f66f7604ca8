/**
 * Translates an ECMAScript pattern (flag u) into RE2's syntax, so that a match means the same in both. Null for
 * features that only one of the two has or that they interpret differently. The caller has checked that the pattern is
 * valid ECMAScript.
 */
export function translatePattern(pattern: string): string | null {
  return translateEach(tokensOf(pattern), (token) =>
    token.length > 1 && token.startsWith('[') ? translateClass(token) : translateToken(token),
  )
}

/** Characters, escapes, classes, counted repeats and the openings of groups. */
export function tokensOf(pattern: string): readonly string[] {
  return pattern.match(TOKEN) ?? []
}

// RE2's \s is ASCII only and its dot stops at \n only; ECMAScript's are wider.
const SPACES = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
const NOT_SPACES = [
  String.raw`\x{0}-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}`,
  String.raw`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`,
].join('')
const NOT_LINE_ENDS = String.raw`[^\n\r\x{2028}\x{2029}]`

const ESCAPE = String.raw`\\u\{[0-9a-fA-F]+\}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^]`
const REPEAT = String.raw`\{[0-9]+(?:,[0-9]*)?\}`
const TOKEN = new RegExp(String.raw`${ESCAPE}|\[(?:\\[^]|[^\]\\])*\]|\(\?[^]|${REPEAT}|[^]`, 'gu')
const CLASS_TOKEN = new RegExp(`${ESCAPE}|[^]`, 'gu')

function translateToken(token: string): string | null {
  if (token === '.') return NOT_LINE_ENDS
  if (token === String.raw`\s`) return `[${SPACES}]`
  if (token === String.raw`\S`) return `[^${SPACES}]`
  // Inline flags change the rest of the pattern; look-around has the same prefix and is refused too.
  if (token.startsWith('(?') && token !== '(?:' && token !== '(?<') return null
  return translateEscape(token)
}

function translateClass(token: string): string | null {
  const open = token.startsWith('[^') ? '[^' : '['
  const members = token.slice(open.length, -1)
  // ECMAScript's empty class; in RE2 the bracket would be its first member.
  if (members === '') return null
  const translated = translateEach(members.match(CLASS_TOKEN) ?? [], (member) => {
    if (member === String.raw`\s`) return SPACES
    return member === String.raw`\S` ? NOT_SPACES : translateEscape(member)
  })
  return translated === null ? null : `${open}${translated}]`
}

/** RE2 has no `\u`. A lone surrogate is no character: a pattern that names one is outside the subset. */
function translateEscape(token: string): string | null {
  if (!token.startsWith(String.raw`\u`)) return token
  const code = unescape(token).codePointAt(0) ?? 0
  return code >= 0xd800 && code <= 0xdfff ? null : String.raw`\x{${code.toString(16)}}`
}

function unescape(token: string): string {
  if (token.startsWith(String.raw`\u{`)) return String.fromCodePoint(Number.parseInt(token.slice(3, -1), 16))
  const units = token.split(String.raw`\u`).slice(1)
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)))
}

function translateEach(tokens: readonly string[], translate: (token: string) => string | null): string | null {
  const translated = tokens.map(translate)
  return translated.includes(null) ? null : translated.join('')
}
