/** Decoded pixels as the decoder returns them: 1 to 4 samples a pixel, of 8 or 16 bits. */
export interface Pixels {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly is16Bit: boolean
}

/** Red, green, blue and a full alpha, 8 bits each. */
export interface Rgba {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * The picture on white, scaled down to fit into a square. Each pixel is the mean of the area it covers, which is good
 * enough for photos and needs no second copy of the large picture, as a general resize does.
 */
export function shrink(pixels: Pixels, side: number): Rgba {
  const scale = Math.min(1, side / Math.max(pixels.width, pixels.height))
  const width = Math.max(1, Math.round(pixels.width * scale))
  const height = Math.max(1, Math.round(pixels.height * scale))
  const columns = sharesOf(pixels.width, width)
  const rows = sharesOf(pixels.height, height)
  const layout = layoutOf(pixels)
  const data = new Uint8Array(width * height * 4)
  const narrow = new Float32Array(width * 3)
  const sum = new Float32Array(width * 3)
  for (let y = 0, target = 0; y < pixels.height; y += 1) {
    narrowRow(pixels, layout, y, columns, narrow)
    // A source row lies in one target row, or across the border of two.
    const share = rows.shares[y] ?? 1
    addRow(sum, narrow, share)
    if (rows.isLast[y] !== 1) continue
    writeRow(data, target * width * 4, sum)
    sum.fill(0)
    addRow(sum, narrow, rows.rests[y] ?? 0)
    target += 1
  }
  return { data, width, height }
}

/** The share of each source line that goes into the target line where it begins, and into the next. */
interface Shares {
  readonly shares: Float32Array
  readonly rests: Float32Array
  /** 1 where the target line is complete. */
  readonly isLast: Uint8Array
}

function sharesOf(source: number, target: number): Shares {
  const shares = new Float32Array(source)
  const rests = new Float32Array(source)
  const isLast = new Uint8Array(source)
  for (let index = 0; index < source; index += 1) {
    // Integers, so that no line is lost to rounding: the target line that this one completes.
    const end = (index + 1) * target
    const line = Math.floor((index * target) / source)
    const border = (line + 1) * source
    const inside = Math.min(end, border) - index * target
    shares[index] = inside / source
    rests[index] = (target - inside) / source
    isLast[index] = end >= border ? 1 : 0
  }
  return { shares, rests, isLast }
}

/** The layout of the samples of a pixel. */
interface Layout {
  readonly pixelBytes: number
  readonly green: number
  readonly blue: number
  /** Below 0 where every pixel is opaque. */
  readonly alpha: number
}

function layoutOf({ data, width, height, is16Bit }: Pixels): Layout {
  const sampleBytes = is16Bit ? 2 : 1
  const pixelBytes = data.length / (width * height)
  const samples = pixelBytes / sampleBytes
  const isGrey = samples < 3
  const alpha = samples === 2 || samples === 4 ? (samples - 1) * sampleBytes : -1
  return { pixelBytes, green: isGrey ? 0 : sampleBytes, blue: isGrey ? 0 : 2 * sampleBytes, alpha }
}

/**
 * Reads one row and narrows it: red, green and blue on white. Plain loops over numbers, since this is most of the work.
 */
function narrowRow(pixels: Pixels, layout: Layout, y: number, columns: Shares, narrow: Float32Array): void {
  const { data, width, is16Bit } = pixels
  const { pixelBytes, green, blue, alpha } = layout
  const { shares, rests, isLast } = columns
  // Little-endian machines: the high byte, the only one that 8 bits can show, is the second.
  let at = y * width * pixelBytes + (is16Bit ? 1 : 0)
  let target = 0
  let red = 0
  let grn = 0
  let blu = 0
  for (let x = 0; x < width; x += 1, at += pixelBytes) {
    let r = data[at] ?? 0
    let g = data[at + green] ?? 0
    let b = data[at + blue] ?? 0
    if (alpha >= 0) {
      const opacity = (data[at + alpha] ?? 255) / 255
      r = 255 + (r - 255) * opacity
      g = 255 + (g - 255) * opacity
      b = 255 + (b - 255) * opacity
    }
    const share = shares[x] ?? 0
    red += r * share
    grn += g * share
    blu += b * share
    if (isLast[x] !== 1) continue
    narrow[target] = red
    narrow[target + 1] = grn
    narrow[target + 2] = blu
    target += 3
    const rest = rests[x] ?? 0
    red = r * rest
    grn = g * rest
    blu = b * rest
  }
}

function addRow(sum: Float32Array, row: Float32Array, share: number): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (row[at] ?? 0) * share
}

function writeRow(data: Uint8Array, start: number, sum: Float32Array): void {
  for (let at = 0, to = start; at < sum.length; at += 3, to += 4) {
    data[to] = Math.round(sum[at] ?? 0)
    data[to + 1] = Math.round(sum[at + 1] ?? 0)
    data[to + 2] = Math.round(sum[at + 2] ?? 0)
    data[to + 3] = 255
  }
}
