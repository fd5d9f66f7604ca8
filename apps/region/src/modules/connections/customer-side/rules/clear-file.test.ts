import { buildRegistry, seedRows } from '@sealpost/field-types'
import { describe, expect, test } from 'vitest'
import { clearFileOf, envelopeOf } from './clear-file.ts'
import { readSealed } from './sealed.ts'

const registry = buildRegistry(seedRows)
const PDF = `data:application/pdf;base64,${Buffer.from('%PDF-1.7').toString('base64')}`
const PNG = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}`
const read = (type: string, given: Parameters<typeof envelopeOf>[2]) => {
  const envelope = envelopeOf(registry, type, given)
  return envelope === null ? null : (JSON.parse(envelope) as unknown)
}

describe('the envelope of a file in the call', () => {
  test('of a photo holds the picture', () => {
    expect(read('photo', { file: PNG })).toEqual({ full: PNG })
  })

  test('of a document holds name, type and size', () => {
    const facts = { file: PDF, mime_type: 'application/pdf', size: 8 }
    expect(read('document', { file: PDF, original_name: 'lease.pdf' })).toEqual({
      ...facts,
      original_name: 'lease.pdf',
    })
    expect(read('document', { file: PDF })).toEqual({ ...facts, original_name: 'file' })
    expect(read('document', { file: 'no data URI' })).toMatchObject({ mime_type: '', size: 0 })
  })

  test('is the given one, and must be given where the type has more than a file', () => {
    expect(envelopeOf(registry, 'document', { file: PDF, envelope: '{"own":1}' })).toBe('{"own":1}')
    expect(envelopeOf(registry, 'passport', { envelope: '{"own":1}' })).toBe('{"own":1}')
    expect(envelopeOf(registry, 'passport', { file: PDF })).toBeNull()
    expect(envelopeOf(registry, 'document', {})).toBeNull()
  })
})

describe('the answer in the clear', () => {
  const base64 = PDF.slice(PDF.indexOf(',') + 1)

  test('is the envelope where the type has more than a file', () => {
    expect(clearFileOf(registry, 'passport', '{}')).toEqual({ form: 'envelope', envelope: '{}' })
  })

  test('is otherwise its one file', () => {
    expect(clearFileOf(registry, 'document', JSON.stringify({ file: PDF }))).toEqual({
      form: 'raw',
      mimeType: 'application/pdf',
      base64,
    })
    expect(clearFileOf(registry, 'photo', JSON.stringify({ full: PNG, thumb: PDF }))).toMatchObject({
      mimeType: 'image/png',
    })
  })

  test.each(['{}', 'null', '7', 'not JSON', '{"file":7}', '{"file":"text"}'])('is none in %s', (envelope) => {
    expect(clearFileOf(registry, 'document', envelope)).toBeNull()
  })
})

test('a wrapper is read as text and as an object, anything else is none', () => {
  const wrapper = {
    _enc: 1,
    k: Buffer.alloc(256).toString('base64'),
    iv: Buffer.alloc(12).toString('base64'),
    d: Buffer.alloc(32).toString('base64'),
  }
  const text = JSON.stringify(wrapper)
  expect(readSealed(text)).toBe(text)
  expect(readSealed(wrapper)).toBe(text)
  for (const value of ['plain', '{}', {}, { ...wrapper, k: '' }, null, 7, undefined])
    expect(readSealed(value)).toBeNull()
})
