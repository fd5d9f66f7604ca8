import type { Drawn } from './viewers/index.ts'

const BLUR = 2
const TILE = 16
/** A page of one viewer may be a pixel larger. */
const SLACK = 2

/**
 * How far two pictures are apart, from 0 to 1: the largest difference of a tile of 16 × 16 pixels, after a blur that
 * takes away what only the drawing of edges makes different.
 */
export function distanceOf(one: Drawn, other: Drawn): number {
  if (Math.abs(one.width - other.width) > SLACK || Math.abs(one.height - other.height) > SLACK) return 1
  const [width, height] = [Math.min(one.width, other.width), Math.min(one.height, other.height)]
  const [first, second] = [blurred(one), blurred(other)]
  let largest = 0
  for (let top = 0; top < height; top += TILE)
    for (let left = 0; left < width; left += TILE) {
      let [sum, count] = [0, 0]
      for (let row = top; row < Math.min(top + TILE, height); row += 1)
        for (let column = left; column < Math.min(left + TILE, width); column += 1) {
          const apart = (first[row * one.width + column] ?? 0) - (second[row * other.width + column] ?? 0)
          sum += Math.abs(apart)
          count += 1
        }
      largest = Math.max(largest, sum / count / 255)
    }
  return largest
}

/** The mean of each pixel and those around it. */
function blurred({ width, height, pixels }: Drawn): Float32Array {
  const rows = new Float32Array(pixels.length)
  const whole = new Float32Array(pixels.length)
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      rows[row * width + column] = mean(column, width, (at) => pixels[row * width + at] ?? 0)
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      whole[row * width + column] = mean(row, height, (at) => rows[at * width + column] ?? 0)
  return whole
}

function mean(at: number, end: number, of: (at: number) => number): number {
  let [sum, count] = [0, 0]
  for (let near = Math.max(0, at - BLUR); near <= Math.min(end - 1, at + BLUR); near += 1) {
    sum += of(near)
    count += 1
  }
  return sum / count
}
