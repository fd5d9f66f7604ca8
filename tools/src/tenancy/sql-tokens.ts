/** A word, sign or literal of SQL, or a parenthesized group. */
export type SqlPart = SqlToken | SqlGroup

export interface SqlToken {
  readonly kind: 'word' | 'sign' | 'literal'
  /** Words in lower case; a name with its qualifiers is one word: `c.company_id`. */
  readonly text: string
}

export interface SqlGroup {
  readonly kind: 'group'
  readonly parts: readonly SqlPart[]
}

const TOKEN = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*|/\*[\s\S]*?\*/)`,
    String.raw`(?<literal>'(?:[^']|'')*'|\$\d+|\d+(?:\.\d+)?)`,
    String.raw`(?<word>(?:"[^"]+"|[a-z_]\w*)(?:\.(?:"[^"]+"|[a-z_]\w*|\*))*)`,
    String.raw`(?<sign>::|<>|!=|<=|>=|->>|->|\|\||@>|<@|[-+*/%<>=~!@#&|^?:,;.()[\]])`,
  ].join('|'),
  'giy',
)

/** Unknown syntax is an error: a half-parsed statement would pass as harmless. */
export function parseSql(text: string): readonly SqlPart[] {
  const open: SqlPart[][] = [[]]
  for (const token of tokensOf(text)) {
    if (token.text === '(') {
      open.push([])
    } else if (token.text === ')') {
      const parts = open.pop() ?? []
      const outer = open.at(-1)
      if (outer === undefined) throw new Error('unmatched closing parenthesis')
      outer.push({ kind: 'group', parts: joinPhrases(parts) })
    } else open.at(-1)?.push(token)
  }
  const [all, ...unclosed] = open
  if (all === undefined || unclosed.length > 0) throw new Error('unclosed parenthesis')
  return joinPhrases(all)
}

export function isWord(part: SqlPart | undefined, ...texts: readonly string[]): boolean {
  return part?.kind === 'word' && texts.includes(part.text)
}

export function isSign(part: SqlPart | undefined, text: string): boolean {
  return part?.kind === 'sign' && part.text === text
}

/** The pieces between the separators, at this level only. */
export function splitAt(parts: readonly SqlPart[], isSeparator: (part: SqlPart) => boolean): readonly SqlPart[][] {
  const pieces: SqlPart[][] = [[]]
  for (const part of parts) {
    if (isSeparator(part)) pieces.push([])
    else pieces.at(-1)?.push(part)
  }
  return pieces
}

export function isComma(part: SqlPart): boolean {
  return isSign(part, ',')
}

function* tokensOf(text: string): Generator<SqlToken> {
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    end = match.index + match[0].length
    const { space, literal, word } = match.groups ?? {}
    if (space !== undefined) continue
    if (literal !== undefined) yield { kind: 'literal', text: literal }
    else if (word !== undefined) yield { kind: 'word', text: word.toLowerCase() }
    else yield { kind: 'sign', text: match[0] }
  }
  if (end !== text.length) throw new Error(`cannot parse SQL at: ${text.slice(end, end + 30)}`)
}

/** `is not distinct from` counts as `=`, `is distinct from` as `<>`; their `from` begins no list of tables. */
function joinPhrases(parts: readonly SqlPart[]): readonly SqlPart[] {
  const joined: SqlPart[] = []
  for (let place = 0; place < parts.length; place += 1) {
    const part = parts[place]
    if (part === undefined) continue
    const isNot = isWord(part, 'is') && isWord(parts[place + 1], 'not')
    const next = place + (isNot ? 2 : 1)
    if (isWord(part, 'is') && isWord(parts[next], 'distinct') && isWord(parts[next + 1], 'from')) {
      joined.push({ kind: 'sign', text: isNot ? '=' : '<>' })
      place = next + 1
    } else joined.push(part)
  }
  return joined
}
