import { describe, expect, test } from 'vitest'
import { codes as others } from './fixtures/codes-of-another-program.ts'
import type { Grid } from './grid.ts'
import { readModules } from './read-modules.ts'
import { readQr } from './read-qr.ts'
import { drawQr, type Sight } from './testing/draw-qr.ts'
import { makeQr } from './testing/make-qr.ts'

function gridOf(rows: readonly string[]): Grid {
  const cells = Uint8Array.from(rows.flatMap((row) => Array.from(row, (cell) => (cell === '#' ? 1 : 0))))
  return { width: rows.length, height: rows.length, cells }
}

test.each(others)('reads the modules of another program: $text', ({ text, rows }) => {
  expect(readModules(gridOf(rows))).toBe(text)
})

const sights: Readonly<Record<string, Sight>> = {
  'straight on': {},
  'with small modules': { module: 2.7 },
  turned: { degrees: 17 },
  'upside down': { degrees: 180 },
  'on its corner': { degrees: 45, module: 5 },
  tilted: { tilt: 0.25, degrees: 5, module: 6 },
  'with a shadow': { lightAtRight: 0.35 },
  'with noise': { noise: 60, module: 5 },
  'in a mirror': { isMirrored: true },
  'turned, tilted, with a shadow and noise': { degrees: -12, tilt: 0.15, lightAtRight: 0.6, noise: 25, module: 6 },
}

describe.each(Object.entries(sights))('%s,', (_, sight) => {
  test.each(others.slice(0, 5))('a picture of a code is read: $text', ({ text, rows }) => {
    expect(readQr(drawQr(gridOf(rows), sight))).toBe(text)
  })
})

test('damage is mended up to what the check bytes carry, and never guessed beyond', () => {
  const text = 'https://my.example.com/connect/NRTHWD/INTAKE'
  let [mended, refused] = [0, 0]
  for (let wrong = 0; wrong < 100; wrong += 2) {
    const code = makeQr(text)
    for (let cell = 0; cell < wrong; cell += 1) {
      const at = code.width * 9 + ((cell * 7) % (code.width * (code.width - 18)))
      code.cells[at] = 1 - (code.cells[at] ?? 0)
    }
    const read = readModules(code)
    if (read === text) mended += 1
    else refused += 1
    expect([text, null]).toContain(read)
  }
  expect(mended).toBeGreaterThan(3)
  expect(refused).toBeGreaterThan(3)
})

test.each([1, 14, 40, 180, 600, 1200])('a code that we make with %i letters is read', (letters) => {
  const text = 'aZ/7'.repeat(letters).slice(0, letters)
  expect(readModules(makeQr(text))).toBe(text)
})

test('a picture without a code is null', () => {
  expect(readQr({ width: 40, height: 30, data: new Uint8ClampedArray(40 * 30 * 4).fill(255) })).toBeNull()
  expect(readQr({ width: 3, height: 2, data: new Uint8ClampedArray(3 * 2 * 4) })).toBeNull()
  const noise = drawQr({ width: 1, height: 1, cells: new Uint8Array(1) }, { noise: 255, module: 20 })
  expect(readQr(noise)).toBeNull()
})
