import type { Result } from '@sealpost/kernel'
import type { ImageRefusal } from '../refusal.ts'

/** The properties of a picture, read before it is decoded. */
export interface ImageHeader {
  readonly width: number
  readonly height: number
  /** The orientation in EXIF, 1 to 8. */
  readonly orientation: number
  /** Samples of 16 bits: they arrive in the byte order of the machine. */
  readonly is16Bit: boolean
  /** The measured maximum of memory per pixel while decoding: the decoded picture twice, coefficients, planes. */
  readonly workBytesPerPixel: number
  /** How often a decoder passes over the whole picture. */
  readonly passes: number
  /** The picture alone: no metadata, no profile, no text, nothing after its end. */
  readonly skeleton: Uint8Array
}

export type HeaderResult = Result<ImageHeader, ImageRefusal>
