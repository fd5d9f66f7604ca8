import { Transformer } from '@napi-rs/image'
import type { ImageHeader } from '../header/image-header.ts'
import { CARD_BYTES, CARD_SIDE, type Drawn, type DrawnPhoto, FULL_SIDE } from '../photo.ts'
import { type Rgba, shrink } from './shrink.ts'

const FULL_QUALITY = 85
/** A card that is too large gets a lower quality, then fewer pixels. The last one always fits. */
const CARD_TRIES = [CARD_SIDE, 384, 256].flatMap((side) => [85, 70, 55].map((quality) => [side, quality] as const))

/** Null for input that cannot be decoded. The result contains nothing of the file but its pixels. */
export function redraw({ skeleton, width, height, orientation, is16Bit }: ImageHeader): DrawnPhoto | null {
  const data = decode(skeleton)
  const samples = data === null ? 0 : data.length / (width * height) / (is16Bit ? 2 : 1)
  // A length that is not a whole number of samples means that the decoded size differs from the header.
  if (data === null || ![1, 2, 3, 4].includes(samples)) return null
  const small = turn(shrink({ data, width, height, is16Bit }, FULL_SIDE), orientation)
  return { full: draw(small, FULL_QUALITY), card: drawCard(small) }
}

function decode(skeleton: Uint8Array): Buffer | null {
  try {
    return new Transformer(skeleton).rawPixelsSync()
  } catch {
    return null
  }
}

function drawCard(full: Rgba): Drawn {
  const pixels = { ...full, data: Buffer.from(full.data.buffer), is16Bit: false }
  let card: Drawn | null = null
  for (const [side, quality] of CARD_TRIES) {
    card = draw(shrink(pixels, side), quality)
    if (card.bytes.length <= CARD_BYTES) return card
  }
  throw new Error('the smallest card is still too large')
}

function draw({ data, width, height }: Rgba, quality: number): Drawn {
  const bytes = Transformer.fromRgbaPixels(data, width, height).jpegSync(quality)
  return { bytes, width, height }
}

/** Upright: EXIF's eight orientations say where the first row and column belong. */
export function turn(rgba: Rgba, orientation: number): Rgba {
  if (orientation === 1) return rgba
  const { width, height } = rgba
  const isLying = orientation >= 5
  const isMirrored = [2, 3, 7, 8].includes(orientation)
  const isUpsideDown = [3, 4, 6, 7].includes(orientation)
  const turned = { width: isLying ? height : width, height: isLying ? width : height }
  const from = new Uint32Array(rgba.data.buffer)
  const to = new Uint32Array(from.length)
  for (let y = 0, at = 0; y < turned.height; y += 1) {
    for (let x = 0; x < turned.width; x += 1, at += 1) {
      const [column, row] = isLying ? [y, x] : [x, y]
      const sourceX = isMirrored ? width - 1 - column : column
      const sourceY = isUpsideDown ? height - 1 - row : row
      to[at] = from[sourceY * width + sourceX] ?? 0
    }
  }
  return { data: new Uint8Array(to.buffer), ...turned }
}
