export type Mark = 'bold' | 'italic' | 'link'

/** The tokens of the source, in order. */
export type Token = InlineToken | MarkToken | LinkToken

export type InlineToken =
  | { readonly kind: 'plain'; readonly text: string }
  /** The key is in lower case; whether it names a party is decided later. */
  | { readonly kind: 'tag'; readonly key: string }

export type MarkToken =
  | { readonly kind: 'open'; readonly mark: 'bold' | 'italic' }
  /** As written, for a mark that closes nothing. */
  | { readonly kind: 'close'; readonly mark: Mark; readonly written: string }

export interface LinkToken {
  readonly kind: 'link'
  readonly address: readonly InlineToken[]
  readonly written: string
}

const TAG = /\{\{ *([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){0,2}) *\}\}/iy
const MARK = /\[(\/?)([bi])\]|\[\/(a)\]/iy
const LINK = /\[a href=/iy
const ESCAPE = /\\([[\]{\\])/y
/** Up to the next character that can begin a token. */
const PLAIN_IN_TEXT = /[^[{\\]+/y
const PLAIN_IN_ADDRESS = /[^\]{\\]+/y

interface Cursor {
  readonly text: string
  at: number
  /** After one failed search for `]` none is repeated: `[a href=`, repeated, would otherwise take quadratic time. */
  hasBracketAhead: boolean
}

/** Reads every character a bounded number of times, whatever the source. */
export function scan(source: string): readonly Token[] {
  const cursor = { text: stripHtml(source), at: 0, hasBracketAhead: true }
  const tokens: Token[] = []
  while (cursor.at < cursor.text.length) {
    tokens.push(readLink(cursor) ?? readMark(cursor) ?? readInline(cursor, PLAIN_IN_TEXT))
  }
  return tokens
}

function readLink(cursor: Cursor): LinkToken | null {
  const start = cursor.at
  if (!cursor.hasBracketAhead || take(LINK, cursor) === null) return null
  const addressStart = cursor.at
  const address: InlineToken[] = []
  while (cursor.at < cursor.text.length) {
    if (cursor.text.charAt(cursor.at) === ']') {
      cursor.at += 1
      return { kind: 'link', address, written: cursor.text.slice(addressStart, cursor.at - 1) }
    }
    address.push(readInline(cursor, PLAIN_IN_ADDRESS))
  }
  cursor.at = start
  cursor.hasBracketAhead = false
  return null
}

function readMark(cursor: Cursor): MarkToken | null {
  const found = take(MARK, cursor)
  if (found === null) return null
  const [written, slash, letter, link] = found
  const mark = link === undefined ? (letter?.toLowerCase() === 'b' ? 'bold' : 'italic') : 'link'
  return mark === 'link' || slash === '/' ? { kind: 'close', mark, written } : { kind: 'open', mark }
}

function readInline(cursor: Cursor, plain: RegExp): InlineToken {
  const tag = take(TAG, cursor)?.[1]
  if (tag !== undefined) return { kind: 'tag', key: tag.toLowerCase() }
  const text = take(ESCAPE, cursor)?.[1] ?? take(plain, cursor)?.[0] ?? takeOne(cursor)
  return { kind: 'plain', text }
}

function take(pattern: RegExp, cursor: Cursor): RegExpExecArray | null {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)
  if (found !== null) cursor.at = pattern.lastIndex
  return found
}

/** A bracket, brace or backslash without a meaning here. */
function takeOne(cursor: Cursor): string {
  cursor.at += 1
  return cursor.text.charAt(cursor.at - 1)
}

const OPENING = /<\/?[a-z]/gi

/** Removes `<b>`, `</p>`, `<img …>`: a `<` that a letter follows, up to the next `>`. Once, from the left. */
function stripHtml(source: string): string {
  let kept = ''
  let from = 0
  OPENING.lastIndex = 0
  for (let found = OPENING.exec(source); found !== null; found = OPENING.exec(source)) {
    const end = source.indexOf('>', found.index)
    if (end === -1) break
    kept += source.slice(from, found.index)
    from = end + 1
    OPENING.lastIndex = from
  }
  return kept + source.slice(from)
}
