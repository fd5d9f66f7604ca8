import { emptyGrid, type Grid } from './grid.ts'

/** Red, green, blue and opacity of each pixel, row by row: what a canvas gives. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray | Uint8Array
}

const SIDE = 8
/** Below this difference a block is one colour, and its own mean says nothing. */
const LEAST_CONTRAST = 24

/** Dark and light by the surroundings of a pixel, so that a shadow over half of the picture does not matter. */
export function binarize(picture: Picture): Grid {
  const { width, height } = picture
  const gray = grayOf(picture)
  const columns = Math.ceil(width / SIDE)
  const rows = Math.ceil(height / SIDE)
  const means = blockMeans(gray, width, height)
  const grid = emptyGrid(width, height)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const threshold = meanAround(means, columns, rows, column, row)
      const [right, bottom] = [Math.min((column + 1) * SIDE, width), Math.min((row + 1) * SIDE, height)]
      for (let y = row * SIDE; y < bottom; y += 1)
        for (let x = column * SIDE; x < right; x += 1)
          grid.cells[y * width + x] = (gray[y * width + x] ?? 0) <= threshold ? 1 : 0
    }
  return grid
}

/** What is transparent is shown on white paper. */
function grayOf({ width, height, data }: Picture): Uint8Array {
  const gray = new Uint8Array(width * height)
  for (let at = 0; at < gray.length; at += 1) {
    const [red = 0, green = 0, blue = 0, opacity = 0] = data.subarray(at * 4, at * 4 + 4)
    const light = (77 * red + 150 * green + 29 * blue) >> 8
    gray[at] = 255 - (((255 - light) * opacity) >> 8)
  }
  return gray
}

function blockMeans(gray: Uint8Array, width: number, height: number): Float32Array {
  const columns = Math.ceil(width / SIDE)
  const rows = Math.ceil(height / SIDE)
  const means = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const { mean, least, most } = lightOf(gray, width, height, column, row)
      const at = row * columns + column
      if (most - least > LEAST_CONTRAST) {
        means[at] = mean
        continue
      }
      // One colour: light, unless its neighbours were lighter still.
      const near = ((means[at - columns] ?? 0) + 2 * (means[at - 1] ?? 0) + (means[at - columns - 1] ?? 0)) / 4
      means[at] = row > 0 && column > 0 && least < near ? near : least / 2
    }
  return means
}

function lightOf(gray: Uint8Array, width: number, height: number, column: number, row: number) {
  let [sum, count, least, most] = [0, 0, 255, 0]
  for (let y = row * SIDE; y < Math.min((row + 1) * SIDE, height); y += 1)
    for (let x = column * SIDE; x < Math.min((column + 1) * SIDE, width); x += 1) {
      const light = gray[y * width + x] ?? 0
      sum += light
      count += 1
      if (light < least) least = light
      if (light > most) most = light
    }
  return { mean: sum / count, least, most }
}

/** Of five by five blocks; at the edge of the picture, of the nearest ones. */
function meanAround(means: Float32Array, columns: number, rows: number, column: number, row: number): number {
  const left = clamp(column, 2, columns - 3)
  const top = clamp(row, 2, rows - 3)
  let [sum, count] = [0, 0]
  for (let y = Math.max(top - 2, 0); y <= Math.min(top + 2, rows - 1); y += 1)
    for (let x = Math.max(left - 2, 0); x <= Math.min(left + 2, columns - 1); x += 1) {
      sum += means[y * columns + x] ?? 0
      count += 1
    }
  return sum / count
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}
