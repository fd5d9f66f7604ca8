import type { Result } from '@sealpost/kernel'
import type { ImageRefusal } from '../refusal.ts'

/** What is known of a picture before a decoder has seen a byte of it. */
export interface ImageHeader {
  readonly width: number
  readonly height: number
  /** How EXIF says that it must be turned, 1 to 8. */
  readonly orientation: number
  /** Samples of 16 bits: they arrive in the byte order of the machine. */
  readonly is16Bit: boolean
  /** The most that decoding takes per pixel, as measured: the decoded picture twice, coefficients, planes. */
  readonly workBytesPerPixel: number
  /** How often a decoder goes over the whole picture. */
  readonly passes: number
  /** The picture alone: no metadata, no profile, no text, nothing after its end. */
  readonly skeleton: Uint8Array
}

export type HeaderResult = Result<ImageHeader, ImageRefusal>
