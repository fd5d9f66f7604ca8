import { describe, expect, test } from 'vitest'
import { faultsOfFiles } from './clear-file.ts'
import { refuseOverQuota } from './quota.ts'

const STARTS = {
  'image/jpeg': 'ffd8ffe000',
  'image/png': '89504e470d0a1a0a00',
  'image/gif': '474946383961',
  'image/webp': '52494646aabbccdd57454250',
  'application/pdf': Buffer.from('%PDF-1.7 and so on').toString('hex'),
}
const uri = (mimeType: string, hex: string) => `data:${mimeType};base64,${Buffer.from(hex, 'hex').toString('base64')}`
const pathsOf = (envelope: unknown, lane: 'photo' | 'document' = 'document') =>
  faultsOfFiles(JSON.stringify(envelope), lane).map(({ path }) => path.join('/'))

describe('the files of an envelope in the clear', () => {
  test.each(Object.entries(STARTS))('%s begins as it does', (mimeType, hex) => {
    expect(pathsOf({ file: uri(mimeType, hex) })).toEqual([])
    expect(pathsOf({ file: uri(mimeType, `00${hex}`) })).toEqual(['file'])
    expect(faultsOfFiles(JSON.stringify({ file: uri(mimeType, '3c68746d6c3e') }), 'document')).toMatchObject([
      { message: `does not begin as ${mimeType} does` },
    ])
  })

  test('a RIFF file that is no WebP is refused', () => {
    expect(pathsOf({ file: uri('image/webp', '52494646aabbccdd57415645') })).toEqual(['file'])
    expect(pathsOf({ file: uri('image/webp', '00000000aabbccdd57454250') })).toEqual(['file'])
  })

  test('other pictures are refused, other types are not judged', () => {
    expect(pathsOf({ file: uri('image/tiff', '49492a00') })).toEqual(['file'])
    expect(pathsOf({ file: uri('text/plain', '61') })).toEqual([])
  })

  test('a photo is a picture', () => {
    expect(pathsOf({ full: uri('image/png', STARTS['image/png']) }, 'photo')).toEqual([])
    expect(pathsOf({ full: uri('application/pdf', STARTS['application/pdf']) }, 'photo')).toEqual(['full'])
  })

  test('an empty file and another stated type are refused', () => {
    expect(pathsOf({ file: 'data:text/plain;base64,' })).toEqual(['file'])
    const png = uri('image/png', STARTS['image/png'])
    expect(pathsOf({ file: png, mime_type: 'image/jpeg' })).toEqual(['file'])
    for (const mimeType of ['image/png', '', null, 7]) expect(pathsOf({ file: png, mime_type: mimeType })).toEqual([])
  })

  test('every place of a file is judged', () => {
    const wrong = uri('image/png', '00')
    const right = uri('image/png', STARTS['image/png'])
    const pages = [{ file: right }, { file: wrong }, null, { file: right, mime_type: 'image/gif' }]
    expect(pathsOf({ file: wrong, full: wrong, thumb: wrong, pages })).toEqual([
      'file',
      'full',
      'thumb',
      'pages/1/file',
      'pages/3/file',
    ])
  })

  test('what holds no file has no fault here', () => {
    for (const envelope of [{}, [], null, 7, { file: '' }, { file: 7 }, { pages: {} }])
      expect(pathsOf(envelope)).toEqual([])
    expect(faultsOfFiles('not JSON', 'document')).toEqual([])
  })
})

test('an account stores as much as its quota, and the refusal says how much that is', () => {
  const MB = 1_048_576
  expect(() => refuseOverQuota(10 * MB, 10 * MB, MB)).not.toThrow()
  expect(() => refuseOverQuota(10 * MB, null, MB)).not.toThrow()
  expect(() => refuseOverQuota(10 * MB + 1, 10 * MB, 1.5 * MB)).toThrow(
    expect.objectContaining({
      key: 'account.storage_exceeded',
      message: 'This account stores 8.5 MB in files and its level allows 10.0 MB; this call would add 1.5 MB',
    }),
  )
})
