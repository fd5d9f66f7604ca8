/** Why bytes are refused as a photo. */
export type ImageRefusal =
  /** The first bytes are those of no picture format. */
  | 'not_an_image'
  /** A picture of another kind than JPEG, PNG or WebP. */
  | 'wrong_type'
  /** More than one picture: animations are refused. */
  | 'animated'
  /** More bytes than allowed. */
  | 'too_large'
  /** More pixels, or more work per pixel, than allowed. */
  | 'too_many_pixels'
  /** The file ends early. */
  | 'truncated'
  /** The file is inconsistent or cannot be decoded. */
  | 'damaged'
  /** Too many photos are waiting; the same bytes may be accepted later. */
  | 'busy'
