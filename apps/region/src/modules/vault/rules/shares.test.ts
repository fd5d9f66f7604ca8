import { defaultFileCaps } from '@sealpost/field-types'
import type { ConnectionId } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import { handleOf, matchShares, requireShares, slotKey, validateShares } from './shares.ts'

const ID = '00000000-0000-7000-8000-000000000001'
const WRAPPER = JSON.stringify({
  _enc: 1,
  k: Buffer.alloc(256).toString('base64'),
  iv: Buffer.alloc(12).toString('base64'),
  d: Buffer.alloc(32).toString('base64'),
})
const slot = (id: string, slug: string) => ({ connectionId: id as ConnectionId, slug })

test('every live slot needs exactly one share', () => {
  const live = [slot('one', 'email'), slot('two', 'email')]
  expect(matchShares(live, [...live].toReversed())).toEqual({ missing: [], unknown: [] })
  expect(matchShares(live, [slot('one', 'email')])).toEqual({ missing: [slot('two', 'email')], unknown: [] })
  const odd = [slot('one', 'email'), slot('one', 'email'), slot('one', 'phone'), slot('two', 'email')]
  expect(matchShares(live, odd)).toEqual({ missing: [], unknown: [1, 2] })
  expect(slotKey(slot('one', 'email'))).not.toBe(slotKey(slot('one', 'phone')))
})

describe('the form of a share', () => {
  type Form = Parameters<typeof validateShares>[1]['form']
  const share = (given: { value?: unknown; file?: string }) => ({
    ...slot('one', 'email'),
    value: given.value,
    file: given.file,
    senderSignature: 'signed',
  })
  const validate = (form: Form, ...given: readonly { value?: unknown; file?: string }[]) =>
    validateShares(given.map(share), { form }, 'photo', defaultFileCaps)
  const refusedAt = (path: string) =>
    expect.objectContaining({ key: 'request.invalid', details: { details: [expect.objectContaining({ path })] } })

  test('is a wrapper where the field is no file', () => {
    expect(validate('wrapper', { value: WRAPPER })).toEqual([
      { ...slot('one', 'email'), senderSignature: 'signed', content: { kind: 'wrapper', text: WRAPPER } },
    ])
    expect(() => validate('wrapper', { value: 'plain' })).toThrow(
      expect.objectContaining({ key: 'contact_data.encryption_required' }),
    )
    expect(() => validate('wrapper', { file: handleOf(ID) })).toThrow(refusedAt('/body/shares/0/file'))
  })

  test('is a sealed text or a staged file where it is one', () => {
    expect(validate('sealed_file', { value: WRAPPER }, { file: handleOf(ID) })).toMatchObject([
      { content: { kind: 'sealed_file', text: WRAPPER } },
      { content: { kind: 'staged', id: ID } },
    ])
    expect(() => validate('sealed_file', { value: WRAPPER }, { file: 'sh_x' })).toThrow(
      refusedAt('/body/shares/1/file'),
    )
  })

  test('is one of both', () => {
    expect(() => validate('sealed_file', {})).toThrow(refusedAt('/body/shares/0'))
    expect(() => validate('sealed_file', { value: WRAPPER, file: handleOf(ID) })).toThrow(refusedAt('/body/shares/0'))
  })

  test('is none where the platform itself shares the file', () => {
    expect(validate('clear_file')).toEqual([])
    expect(() => validate('clear_file', { value: WRAPPER })).toThrow(refusedAt('/body/shares'))
  })
})

test('an edit names its first share without a slot, else the slots without a share', () => {
  const live = [
    { ...slot('one', 'email'), lane: 'inline' as const },
    { ...slot('two', 'email'), lane: 'inline' as const },
  ]
  const shareOf = (id: string) => ({
    ...slot(id, 'email'),
    senderSignature: null,
    content: { kind: 'wrapper' as const, text: WRAPPER },
  })
  expect(() => requireShares(live, [shareOf('one'), shareOf('two')])).not.toThrow()
  expect(() => requireShares(live, [shareOf('one'), shareOf('three')])).toThrow(
    expect.objectContaining({ details: { details: [expect.objectContaining({ path: '/body/shares/1' })] } }),
  )
  expect(() => requireShares(live, [shareOf('two')])).toThrow(
    expect.objectContaining({
      key: 'contact_data.shares_incomplete',
      details: { missing: [{ connection_id: 'one', slug: 'email' }] },
    }),
  )
})
