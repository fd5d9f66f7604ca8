import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * A font file of a package: each family is cut into slices of characters, so that a name in Chinese needs 60 KB and not
 * ten megabytes.
 */
export interface Slice {
  /** For the name of the embedded font. */
  readonly name: string
  readonly file: string
  readonly covers: (codePoint: number) => boolean
}

/** In the order in which they are asked for a character. */
const FAMILIES = [
  'noto-sans',
  'vazirmatn',
  'noto-sans-hebrew',
  'noto-sans-armenian',
  'noto-sans-georgian',
  'noto-sans-devanagari',
  'noto-sans-bengali',
  'noto-sans-gurmukhi',
  'noto-sans-gujarati',
  'noto-sans-tamil',
  'noto-sans-telugu',
  'noto-sans-kannada',
  'noto-sans-malayalam',
  'noto-sans-sinhala',
  'noto-sans-thai',
  'noto-sans-lao',
  'noto-sans-khmer',
  'noto-sans-myanmar',
  'noto-sans-ethiopic',
  'noto-sans-kr',
  'noto-sans-sc',
] as const

const require = createRequire(import.meta.url)

/** By family; a list is read when the search for a character comes to it, and most texts need the first one only. */
const lists = new Map<string, readonly Slice[]>()

/** All slices, in the order in which they are asked for a character. */
export function* eachSlice(): Generator<Slice, void> {
  for (const family of FAMILIES) {
    const slices = lists.get(family) ?? listSlices(family)
    lists.set(family, slices)
    yield* slices
  }
}

function listSlices(family: string): readonly Slice[] {
  const place = `@fontsource-variable/${family}`
  const ranges: unknown = JSON.parse(readFileSync(require.resolve(`${place}/unicode.json`), 'utf8'))
  if (typeof ranges !== 'object' || ranges === null) throw new Error(`${place} has no list of characters`)
  return Object.entries(ranges).map(([key, text]) => {
    const subset = key.replaceAll(/[[\]]/g, '')
    return {
      name: `${family}-${subset}`,
      file: `${place}/files/${family}-${subset}-wght-normal.woff2`,
      covers: coverage(String(text)),
    }
  })
}

export function readSlice(slice: Slice): Uint8Array {
  return readFileSync(require.resolve(slice.file))
}

/** `U+0000-00FF,U+0131` */
function coverage(text: string): (codePoint: number) => boolean {
  const ranges = text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
  })
  return (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last)
}
