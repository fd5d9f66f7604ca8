/** Why bytes are not taken as a photo. */
export type ImageRefusal =
  /** Nothing that begins like a picture. */
  | 'not_an_image'
  /** A picture of another kind than JPEG, PNG or WebP. */
  | 'wrong_type'
  /** More than one picture: a photo stands still. */
  | 'animated'
  /** More bytes than allowed. */
  | 'too_large'
  /** More pixels, or more work for each, than is worth a photo. */
  | 'too_many_pixels'
  /** It ends before its end. */
  | 'truncated'
  /** It says what cannot be, or cannot be decoded. */
  | 'damaged'
  /** Too many others wait; the same bytes may be taken later. */
  | 'busy'
