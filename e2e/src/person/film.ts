import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawQr, type Sight } from '@sealpost/ui/qr/testing'

/** A camera in software: it shows the last film that was put in, from its beginning whenever it is opened. */
export interface FakeCamera {
  readonly browserArguments: readonly string[]
  /** In front of the camera, a paper with the code of this text. */
  show(text: string): void
  close(): void
}

export function fakeCamera(): FakeCamera {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-film-'))
  const path = join(folder, 'film.y4m')
  return {
    browserArguments: ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${path}`],
    show: (text) => writeFileSync(path, filmOf(text, { degrees: 8, tilt: 0.1, lightAtRight: 0.7, module: 5 })),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Two still pictures in Y4M: a header, then brightness and two grey planes of colour for each. */
function filmOf(text: string, sight: Sight): Buffer {
  const { gray, side } = grayOf(text, sight)
  const colours = Buffer.alloc((side / 2) * (side / 2) * 2, 128)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), gray, colours])
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${side} H${side} F10:1 Ip A1:1 C420jpeg\n`), frame, frame])
}

function grayOf(text: string, sight: Sight): { readonly gray: Buffer; readonly side: number } {
  const { data, width } = drawQr(text, sight)
  const side = width + (width % 2)
  const gray = Buffer.alloc(side * side, 230)
  for (let y = 0; y < width; y += 1)
    for (let x = 0; x < width; x += 1) gray[y * side + x] = data[(y * width + x) * 4] ?? 0
  return { gray, side }
}

/** A picture of a code as a file of a person's device: BMP, which needs no compression. */
export function pictureOf(text: string, sight: Sight = {}): Buffer {
  const { gray, side } = grayOf(text, sight)
  const rowBytes = Math.ceil((side * 3) / 4) * 4
  const head = Buffer.alloc(54)
  head.write('BM')
  head.writeUInt32LE(54 + rowBytes * side, 2)
  head.writeUInt32LE(54, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(side, 18)
  // Negative: the first row is the upper one.
  head.writeInt32LE(-side, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  const rows = Buffer.alloc(rowBytes * side)
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) rows.fill(gray[y * side + x] ?? 0, y * rowBytes + x * 3, y * rowBytes + x * 3 + 3)
  return Buffer.concat([head, rows])
}
