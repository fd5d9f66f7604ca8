import decodeQr from 'qr/decode.js'

/** Red, green, blue and opacity of each pixel, row by row: what a canvas gives. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray | Uint8Array
}

/** Pictures are read in a worker of their own, one after the other. */
const TIME_LIMIT_MS = 2000
const EFFORT = 4

/** The text of a QR code in a picture, or null: a code is read only if its check bytes say that all of it is right. */
export function readQr(picture: Picture): string | null {
  // A camera that faces the person shows a mirror.
  return read(picture) ?? read(mirror(picture))
}

function read({ width, height, data }: Picture): string | null {
  try {
    return decodeQr({ width, height, data }, { format: 'RGBA', effort: EFFORT, timeLimit: TIME_LIMIT_MS })
  } catch {
    return null
  }
}

/** Rows as columns. */
function mirror({ width, height, data }: Picture): Picture {
  const [from, to] = [new Uint32Array(data.slice().buffer), new Uint32Array(width * height)]
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) to[x * height + y] = from[y * width + x] ?? 0
  return { width: height, height: width, data: new Uint8ClampedArray(to.buffer) }
}
