import { describe, expect, test } from 'vitest'
import { gradient } from '../testing/index.ts'
import { turn } from './redraw.ts'
import { shrink } from './shrink.ts'

const rgba = (data: Uint8Array, width: number, height: number) => ({
  data: Buffer.from(data),
  width,
  height,
  is16Bit: false,
})

describe('shrinking', () => {
  test('fits into the square, keeps the shape and never enlarges', () => {
    expect(sizeOf(shrink(rgba(gradient(400, 100), 400, 100), 200))).toEqual([200, 50])
    expect(sizeOf(shrink(rgba(gradient(100, 400), 100, 400), 300))).toEqual([75, 300])
    expect(sizeOf(shrink(rgba(gradient(7, 5), 7, 5), 300))).toEqual([7, 5])
    expect(sizeOf(shrink(rgba(gradient(3000, 1), 3000, 1), 100))).toEqual([100, 1])
  })

  test('leaves a picture that fits unchanged', () => {
    const picture = gradient(9, 6)
    expect(shrink(rgba(picture, 9, 6), 9).data).toEqual(picture)
  })

  test.each([2, 3, 5, 7, 10])('a pixel is the mean of the area it covers, at %i of 10', (side) => {
    const data = Uint8Array.from({ length: 400 }, (_, at) => (at % 4 === 3 ? 255 : (at * 7) % 256))
    const small = shrink(rgba(data, 10, 10), side)
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1) {
        const mean = meanOf(data, 10 / side, x, y)
        expect(Math.abs((small.data[(y * side + x) * 4] ?? 0) - mean)).toBeLessThanOrEqual(0.51)
      }
    }
  })

  test('puts transparent pixels on white', () => {
    expect([...shrink(rgba(Uint8Array.of(0, 0, 0, 0), 1, 1), 1).data]).toEqual([255, 255, 255, 255])
    expect([...shrink(rgba(Uint8Array.of(200, 100, 0, 51), 1, 1), 1).data]).toEqual([244, 224, 204, 255])
  })

  test('reads grey, grey with transparency, colours, and samples of 16 bits', () => {
    const one = (bytes: readonly number[], is16Bit = false) => [
      ...shrink({ data: Buffer.from(bytes), width: 1, height: 1, is16Bit }, 1).data.subarray(0, 3),
    ]
    expect(one([77])).toEqual([77, 77, 77])
    expect(one([0, 51])).toEqual([204, 204, 204])
    expect(one([1, 2, 3])).toEqual([1, 2, 3])
    expect(one([9, 77], true)).toEqual([77, 77, 77])
    expect(one([9, 1, 9, 2, 9, 3], true)).toEqual([1, 2, 3])
    expect(one([9, 200, 9, 100, 9, 0, 9, 51], true)).toEqual([244, 224, 204])
  })
})

describe('turning', () => {
  // a b c
  // d e f
  const letters = 'abcdef'
  const source = { data: Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), width: 3, height: 2 }

  test.each([
    [1, ['abc', 'def']],
    [2, ['cba', 'fed']],
    [3, ['fed', 'cba']],
    [4, ['def', 'abc']],
    [5, ['ad', 'be', 'cf']],
    [6, ['da', 'eb', 'fc']],
    [7, ['fc', 'eb', 'da']],
    [8, ['cf', 'be', 'ad']],
  ])('orientation %i', (orientation, rows) => {
    const data = new Uint8Array(24)
    source.data.forEach((letter, index) => data.fill(letter, index * 4, index * 4 + 4))
    const turned = turn({ ...source, data }, orientation)
    expect(sizeOf(turned)).toEqual([rows[0]?.length, rows.length])
    const text = Array.from({ length: 6 }, (_, index) => String.fromCharCode(turned.data[index * 4] ?? 0)).join('')
    expect(text).toBe(rows.join(''))
  })
})

function sizeOf({ width, height }: { readonly width: number; readonly height: number }): readonly number[] {
  return [width, height]
}

/** Red, computed per target pixel from the overlap with every source pixel. */
function meanOf(data: Uint8Array, scale: number, x: number, y: number): number {
  let sum = 0
  for (let row = 0; row < 10; row += 1) {
    for (let column = 0; column < 10; column += 1) {
      const across = Math.min(column + 1, (x + 1) * scale) - Math.max(column, x * scale)
      const down = Math.min(row + 1, (y + 1) * scale) - Math.max(row, y * scale)
      if (across > 0 && down > 0) sum += (data[(row * 10 + column) * 4] ?? 0) * across * down
    }
  }
  return sum / (scale * scale)
}
