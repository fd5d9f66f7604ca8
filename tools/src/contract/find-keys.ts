import jsTokens, { type Token } from 'js-tokens'

/** A string literal that is an error key, or has the form of one. */
export interface KeyMention {
  readonly key: string
  readonly file: string
  readonly line: number
  /** Whether only an error key can stand there: `refuse('…'`, `new ApiError('…'`, `error_key: '…'`. */
  readonly isThrow: boolean
}

const KEY = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/
const SKIPPED: readonly Token['type'][] = [
  'WhiteSpace',
  'SingleLineComment',
  'MultiLineComment',
  'LineTerminatorSequence',
]
const COMPARISONS: readonly string[] = ['===', '!==', '==', '!=', 'case']
const THROW_POSITIONS: readonly (readonly string[])[] = [
  ['refuse', '('],
  ['ApiError', '('],
  ['error_key', ':'],
]

/**
 * The string literals of the form `area.name`, without comments. A literal in a comparison does not count: it tests for an
 * error and throws none.
 */
export function findKeys(source: string, file: string): readonly KeyMention[] {
  const tokens = significantTokens(source)
  return tokens.flatMap(({ text, isLiteral, line }, place) => {
    const key = text.slice(1, -1)
    if (!isLiteral || !KEY.test(key) || isCompared(tokens, place)) return []
    return [{ key, file, line, isThrow: isAfterThrow(tokens, place) }]
  })
}

interface PlacedToken {
  readonly text: string
  readonly isLiteral: boolean
  readonly line: number
}

function significantTokens(source: string): readonly PlacedToken[] {
  const tokens: PlacedToken[] = []
  let line = 1
  for (const { type, value } of jsTokens(source)) {
    const isLiteral = type === 'StringLiteral' || type === 'NoSubstitutionTemplate'
    if (!SKIPPED.includes(type)) tokens.push({ text: value, isLiteral, line })
    line += value.split('\n').length - 1
  }
  return tokens
}

function isCompared(tokens: readonly PlacedToken[], place: number): boolean {
  return [tokens[place - 1], tokens[place + 1]].some((token) => token !== undefined && COMPARISONS.includes(token.text))
}

function isAfterThrow(tokens: readonly PlacedToken[], place: number): boolean {
  return THROW_POSITIONS.some((words) =>
    words.every((word, index) => tokens[place - words.length + index]?.text === word),
  )
}
