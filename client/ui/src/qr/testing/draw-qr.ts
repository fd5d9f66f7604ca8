import encodeQr from 'qr'
import type { Picture } from '../read-qr.ts'

/** How a camera sees a code. */
export interface Sight {
  /** Pixels of a module, about. */
  readonly module?: number
  readonly degrees?: number
  /** 0 is straight on; 0.3 makes one edge clearly shorter than the other. */
  readonly tilt?: number
  /** The light at the right edge, of 1 at the left one. */
  readonly lightAtRight?: number
  /** Of 255, up or down at each pixel. */
  readonly noise?: number
  readonly isMirrored?: boolean
}

const QUIET = 4

/** A picture of a code with this text, each pixel the mean of nine places, so that edges are soft. */
export function drawQr(text: string, sight: Sight = {}): Picture {
  const modules = encodeQr(text, 'raw', { border: QUIET })
  const { module = 4, lightAtRight = 1, noise = 0 } = sight
  const side = Math.ceil(modules.length * module * 1.6)
  const data = new Uint8ClampedArray(side * side * 4)
  const isDarkAt = look(modules, sight, side)
  let chance = 12_345
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      let dark = 0
      for (const dx of [0.2, 0.5, 0.8]) for (const dy of [0.2, 0.5, 0.8]) dark += isDarkAt(x + dx, y + dy) ? 1 : 0
      chance = (chance * 1_103_515_245 + 12_345) % 2_147_483_648
      const light = (230 - 200 * (dark / 9)) * (1 - (1 - lightAtRight) * (x / side))
      const shade = light + noise * ((chance / 2_147_483_648) * 2 - 1)
      data.set([shade, shade, shade, 255], (y * side + x) * 4)
    }
  return { width: side, height: side, data }
}

function look(
  modules: readonly (readonly boolean[])[],
  { module = 4, degrees = 0, tilt = 0, isMirrored = false }: Sight,
  side: number,
) {
  const turn = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  return (x: number, y: number): boolean => {
    const [left, top] = [x - side / 2, y - side / 2]
    const depth = 1 + (tilt * top) / side
    const [across, down] = [(left * cos + top * sin) / depth / module, (top * cos - left * sin) / depth / module]
    const column = Math.floor(modules.length / 2 + (isMirrored ? -across : across))
    return modules[Math.floor(modules.length / 2 + down)]?.[column] ?? false
  }
}
