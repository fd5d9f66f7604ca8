import { Transformer } from '@napi-rs/image'
import { imageData, pngOf } from './png.ts'

/** Red grows to the right and green downwards, so that each corner is recognisable. */
export function gradient(width: number, height: number, alpha = 255): Uint8Array {
  const data = new Uint8Array(width * height * 4)
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      data.set([Math.round((255 * x) / width), Math.round((255 * y) / height), 40, alpha], at)
    }
  }
  return data
}

export function jpegOf(width: number, height: number, data = gradient(width, height)): Buffer {
  return Transformer.fromRgbaPixels(data, width, height).jpegSync(90)
}

export function webpOf(width: number, height: number, data = gradient(width, height)): Buffer {
  return Transformer.fromRgbaPixels(data, width, height).webpSync(90)
}

export function plainPng(width: number, height: number, data = gradient(width, height)): Buffer {
  const rows = Array.from({ length: height }, (_, y) => Buffer.from(data.subarray(y * width * 4, (y + 1) * width * 4)))
  return pngOf({ width, height }, [imageData(rows)])
}

/** An APP1 segment with one entry: the orientation. */
export function exifSegment(orientation: number): Buffer {
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  const tiff = [...Buffer.from('MM\0*', 'latin1'), 0, 0, 0, 8, 0, 1, ...entry, 0, 0, 0, 0]
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), Buffer.from(tiff)]))
}

export function withExif(jpeg: Buffer, orientation: number): Buffer {
  return withSegment(jpeg, exifSegment(orientation))
}

/** Directly after the start, where cameras put theirs. */
export function withSegment(jpeg: Buffer, added: Buffer): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), added, jpeg.subarray(2)])
}

export function segment(code: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** The marker codes of a JPEG up to its first scan. */
export function jpegSegments(jpeg: Uint8Array): readonly number[] {
  const data = Buffer.from(jpeg)
  const codes: number[] = []
  for (let at = 2; codes.at(-1) !== 0xda; at += 2 + data.readUInt16BE(at + 2)) codes.push(data.readUInt8(at + 1))
  return codes
}

/** The pixels of a picture, as red, green and blue. */
export function pixelsOf(
  picture: Uint8Array,
  width: number,
): (x: number, y: number) => readonly [number, number, number] {
  const data = new Transformer(picture).rawPixelsSync()
  return (x, y) => {
    const at = (y * width + x) * 3
    return [data.readUInt8(at), data.readUInt8(at + 1), data.readUInt8(at + 2)]
  }
}
