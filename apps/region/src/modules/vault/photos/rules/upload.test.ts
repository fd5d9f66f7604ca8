import { expect, test } from 'vitest'
import { readUpload, refuseImage } from './upload.ts'

const bytes = (count: number) => Buffer.alloc(count, 7)
const uri = (content: Buffer, mimeType = 'image/png') => `data:${mimeType};base64,${content.toString('base64')}`
const refusal = (key: string) => expect.objectContaining({ key })

test.each([1, 2, 3, 4])('a photo of %i bytes is read whole, whatever type it states', (count) => {
  expect(readUpload(uri(bytes(count)), 4)).toEqual(bytes(count))
  expect(readUpload(uri(bytes(count), ''), 4)).toEqual(bytes(count))
  expect(readUpload(uri(bytes(count)).replace('data:', 'DATA:'), 4)).toEqual(bytes(count))
})

test.each([
  [3, 4],
  [4, 5],
  [5, 6],
])('of at most %i bytes, %i are too many', (most, count) => {
  expect(readUpload(uri(bytes(most)), most)).toHaveLength(most)
  expect(() => readUpload(uri(bytes(count)), most)).toThrow(refusal('request.too_large'))
})

test.each([
  ['no data URI', 'https://photos.example/1.png'],
  ['not in base64', 'data:image/png,abc'],
  ['a prefix without an end', `data:${'x'.repeat(201)};base64,AAAA`],
  ['no content', 'data:image/png;base64,'],
  ['other characters', 'data:image/png;base64,AA*A'],
  ['a missing character', 'data:image/png;base64,AAAAA'],
])('%s is refused', (_, text) => {
  expect(() => readUpload(text, 1000)).toThrow(
    expect.objectContaining({
      key: 'request.invalid',
      details: { details: [expect.objectContaining({ path: '/body/file' })] },
    }),
  )
})

test.each([
  ['too_large', 'request.too_large', 'at most 5 MB'],
  ['too_many_pixels', 'request.too_large', 'too many pixels'],
  ['not_an_image', 'request.unsupported_media_type', 'JPEG, PNG or WebP'],
  ['wrong_type', 'request.unsupported_media_type', 'JPEG, PNG or WebP'],
  ['animated', 'request.unsupported_media_type', 'animated'],
  ['truncated', 'request.invalid', 'truncated'],
  ['damaged', 'request.invalid', 'damaged'],
  ['busy', 'platform.busy', 'try again'],
] as const)('an image that is %s is answered by %s, which says why', (why, key, says) => {
  const error = refuseImage(why, 5 * 1_048_576)
  expect(error.key).toBe(key)
  expect(`${error.message} ${JSON.stringify(error.details)}`).toContain(says)
})
