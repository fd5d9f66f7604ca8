import { expect, test } from 'vitest'
import { checkAsset, readAssetGiven } from './asset-file.ts'

const LIMITS = { DOCUMENT_MAX_MB: 2, PHOTO_MAX_MB: 1 }
const MEGABYTE = 1_048_576
const STARTS = { pdf: '255044462d', png: '89504e470d0a1a0a', jpg: 'ffd8ff' }

function fileOf(type: keyof typeof STARTS, length = 64): Uint8Array {
  const content = new Uint8Array(length)
  content.set(Buffer.from(STARTS[type], 'hex'))
  return content
}

const uriOf = (mimeType: string, content: Uint8Array): string =>
  `data:${mimeType};base64,${Buffer.from(content).toString('base64')}`

test.each([
  ['letter.pdf', 'pdf', 'application/pdf', 'pdf'],
  ['logo.png', 'image', 'image/png', 'png'],
  ['photo.jpg', 'image', 'image/jpeg', 'jpg'],
  ['photo.JPEG', 'image', 'image/jpeg', 'jpg'],
] as const)('%s is an asset', (originalName, kind, mimeType, type) => {
  const content = fileOf(type)
  expect(readAssetGiven(uriOf(mimeType, content), originalName, LIMITS)).toEqual({
    ok: true,
    value: { kind, mimeType, originalName, content: Buffer.from(content) },
  })
})

test.each([
  ['no text', 7, 'a.pdf', 'not a data URI'],
  ['an empty data URI', 'data:application/pdf;base64,', 'a.pdf', 'not a data URI'],
  ['a name without an extension', uriOf('application/pdf', fileOf('pdf')), 'pdf', 'does not end in'],
  ['the name of a member of every object', uriOf('application/pdf', fileOf('pdf')), 'a.constructor', 'does not end in'],
  ['a type that the name contradicts', uriOf('image/png', fileOf('png')), 'a.pdf', 'not of the type application/pdf'],
  ['bytes of another type', uriOf('image/png', fileOf('pdf')), 'a.png', 'not of the type image/png'],
])('%s is refused', (_what, file, name, reason) => {
  expect(readAssetGiven(file, name, LIMITS)).toEqual({
    ok: false,
    refusal: { key: 'flows.asset_invalid', reason: expect.stringContaining(reason) },
  })
})

test.each([
  ['a.pdf', 'pdf', 2],
  ['a.png', 'png', 1],
] as const)('%s may have the size of its kind and no byte more', (originalName, type, megabytes) => {
  expect(checkAsset({ originalName, content: fileOf(type, megabytes * MEGABYTE) }, LIMITS).ok).toBe(true)
  const refused = {
    ok: false,
    refusal: { key: 'documents.too_large', reason: `The file has more than ${megabytes} MB` },
  }
  const larger = fileOf(type, megabytes * MEGABYTE + 1)
  expect(checkAsset({ originalName, content: larger }, LIMITS)).toEqual(refused)
  const mimeType = type === 'pdf' ? 'application/pdf' : 'image/png'
  expect(readAssetGiven(uriOf(mimeType, larger), originalName, LIMITS)).toEqual(refused)
})
