import type { ImageRefusal } from '@sealpost/images'
import { type ApiError, refuse } from '@sealpost/protocol'

/** The stated media type is ignored: the bytes decide what a photo is. */
const DATA_URI = /^data:[^,]{0,200};base64,/i

/** The bytes of a data URI; refuses more than `maxBytes` before it decodes them. */
export function readUpload(uri: string, maxBytes: number): Buffer {
  const prefix = DATA_URI.exec(uri.slice(0, 256))?.[0]
  if (prefix === undefined) throw broken('must be a data URI: data:image/jpeg;base64,…')
  const text = uri.slice(prefix.length)
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='))
  const size = (text.length / 4) * 3 - padding
  if (size > maxBytes) throw tooLarge(maxBytes)
  const bytes = Buffer.from(text, 'base64')
  // Node skips characters that are not base64, so the length tells.
  if (text.length === 0 || bytes.length !== size) throw broken('does not hold base64')
  return bytes
}

export function refuseImage(refusal: ImageRefusal, maxBytes: number): ApiError {
  switch (refusal) {
    case 'too_large':
      return tooLarge(maxBytes)
    case 'too_many_pixels':
      return refuse('request.too_large', undefined, { sentence: 'The photo has too many pixels; send a smaller one' })
    case 'not_an_image':
    case 'wrong_type':
      return wrongType('A photo is a JPEG, PNG or WebP, and these bytes are not')
    case 'animated':
      return wrongType('A photo must not be animated; send a single picture')
    case 'truncated':
      return broken('is truncated: the picture has no end; send the whole file')
    case 'damaged':
      return broken('is damaged: the picture cannot be decoded; save it anew and send that')
    case 'busy':
      return refuse('platform.busy', undefined, { sentence: 'Too many photos are being drawn; try again shortly' })
  }
}

function tooLarge(maxBytes: number): ApiError {
  const sentence = `A photo has at most ${maxBytes / 1_048_576} MB; send a smaller one`
  return refuse('request.too_large', undefined, { sentence })
}

function wrongType(sentence: string): ApiError {
  return refuse('request.unsupported_media_type', undefined, { sentence })
}

function broken(message: string): ApiError {
  return refuse('request.invalid', { details: [{ path: '/body/file', message }] })
}
