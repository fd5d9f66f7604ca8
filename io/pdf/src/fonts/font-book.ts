import { type Face, openFace } from './face.ts'
import { eachSlice, type Slice } from './slices.ts'
import { openSubsetter, type Subsetter } from './subset.ts'

export const REGULAR = 400
export const BOLD = 700
export type Weight = typeof REGULAR | typeof BOLD

/** All faces that a document needs; a slice is opened when a character of it is drawn. */
export class FontBook {
  readonly subsetter: Subsetter
  readonly #faces = new Map<string, Face>()

  private constructor(subsetter: Subsetter) {
    this.subsetter = subsetter
  }

  /** With the faces of Latin letters, which every page has: a child opens them before it gets its document. */
  static async open(): Promise<FontBook> {
    const book = new FontBook(await openSubsetter())
    for (const weight of [REGULAR, BOLD] as const) await book.faceFor('A', weight)
    return book
  }

  /** The face for a grapheme: all of its characters, or at least the first; null if no font has that. */
  async faceFor(grapheme: string, weight: Weight): Promise<Face | null> {
    const needed = Array.from(grapheme)
      .map((character) => character.codePointAt(0) ?? 0)
      .filter((point) => !isInvisible(point))
    const [base = 0x20] = needed
    let second: Face | null = null
    for (const slice of eachSlice()) {
      if (!slice.covers(base)) continue
      const face = await this.#open(slice, weight)
      if (!face.has(base)) continue
      if (needed.every((point) => face.has(point))) return face
      second ??= face
    }
    return second
  }

  faces(): readonly Face[] {
    return [...this.#faces.values()].filter(({ used }) => used.size > 0)
  }

  /** For the next document, which has other glyphs. */
  forgetGlyphs(): void {
    for (const { used } of this.#faces.values()) used.clear()
  }

  async #open(slice: Slice, weight: Weight): Promise<Face> {
    const key = `${slice.name}-${weight}`
    const face = this.#faces.get(key) ?? (await openFace(slice, weight, this.subsetter))
    this.#faces.set(key, face)
    return face
  }
}

/** Joiners, marks of direction and variation selectors draw nothing. */
function isInvisible(point: number): boolean {
  return (
    (point >= 0x200b && point <= 0x200f) || (point >= 0x202a && point <= 0x202e) || (point >= 0xfe00 && point <= 0xfe0f)
  )
}
