/** A page in shades of gray, one byte per pixel, with the text that the viewer finds. */
export interface Drawn {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** What is drawn on a screen, or printed. */
export type Medium = 'screen' | 'paper'

/** Draws the first page; null if it does not show the file at all. */
export interface Viewer {
  readonly name: string
  draw(bytes: Uint8Array, medium: Medium): Promise<Drawn | null>
  close(): Promise<void>
}

export const RESOLUTION = 100
export const POINTS_PER_INCH = 72

/** Of red, green and blue beside each other with a fourth byte, on white. */
export function grayOf(pixels: Uint8Array | Uint8ClampedArray, stride = 4): Uint8Array {
  const gray = new Uint8Array(pixels.length / stride)
  for (let at = 0; at < gray.length; at += 1) {
    const [one = 0, two = 0, three = 0] = [pixels[at * stride], pixels[at * stride + 1], pixels[at * stride + 2]]
    gray[at] = Math.round((one + two + three) / 3)
  }
  return gray
}
