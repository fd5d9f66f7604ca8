import type { Glyph } from '../content/glyph.ts'
import { isEcho, MAX_ECHO } from '../template/lines.ts'

/** Glyphs that are drawn again a little beside others, which makes them bold; each with the one that it repeats. */
export function shadowsOf(glyphs: readonly Glyph[], originals: ReadonlySet<Glyph>): ReadonlyMap<Glyph, Glyph> {
  const cell = [...originals].reduce((largest, { em }) => Math.max(largest, em * MAX_ECHO), 0) || 1
  const places = new Map<string, Glyph>()
  for (const original of originals) places.set(keyOf(original, cell, 0, 0), original)
  const shadows = new Map<Glyph, Glyph>()
  for (const glyph of glyphs) {
    if (originals.has(glyph)) continue
    for (const [x, y] of AROUND) {
      const original = places.get(keyOf(glyph, cell, x, y))
      if (original === undefined || !isEcho(original, glyph)) continue
      shadows.set(glyph, original)
      break
    }
  }
  return shadows
}

const AROUND = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const))

function keyOf({ text, startX, startY }: Glyph, cell: number, x: number, y: number): string {
  return `${Math.floor(startX / cell) + x} ${Math.floor(startY / cell) + y} ${text}`
}
