/** A picture that we have drawn: a JPEG, upright, without metadata. */
export interface Drawn {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

export interface DrawnPhoto {
  readonly full: Drawn
  readonly card: Drawn
}

/** The longest side of the full picture, in pixels. */
export const FULL_SIDE = 2048
export const CARD_SIDE = 512
export const CARD_BYTES = 128 * 1024
/** The quality of both pictures. */
export const DRAWN_TYPE = 'image/jpeg'
