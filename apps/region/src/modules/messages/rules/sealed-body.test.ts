import { expect, test } from 'vitest'
import { validateMessage } from './sealed-body.ts'

const wrapper = (bytes: number) =>
  JSON.stringify({
    _enc: 1,
    k: Buffer.alloc(256).toString('base64'),
    iv: Buffer.alloc(12).toString('base64'),
    d: Buffer.alloc(bytes).toString('base64'),
  })
const sealed = wrapper(32)
const NOT_SEALED = { ok: false, refusal: { key: 'contact_data.encryption_required' } }

test('a message is sealed to its recipient, and maybe to its sender', () => {
  expect(validateMessage({ body: sealed })).toEqual({ ok: true, value: { body: sealed, senderBody: null } })
  expect(validateMessage({ body: sealed, sender_body: null })).toEqual({
    ok: true,
    value: { body: sealed, senderBody: null },
  })
  expect(validateMessage({ body: sealed, sender_body: sealed })).toEqual({
    ok: true,
    value: { body: sealed, senderBody: sealed },
  })
})

test.each([undefined, null, 7, 'plain text', '', JSON.parse(sealed)])('%j is not sealed', (value) => {
  expect(validateMessage({ body: value })).toEqual(NOT_SEALED)
  if (value !== undefined && value !== null)
    expect(validateMessage({ body: sealed, sender_body: value })).toEqual(NOT_SEALED)
})

test('each has at most 64 KiB', () => {
  const large = wrapper(64 * 1024)
  expect(validateMessage({ body: large })).toMatchObject({
    ok: false,
    refusal: { key: 'request.invalid', problem: { path: '/body/body' } },
  })
  expect(validateMessage({ body: sealed, sender_body: large })).toMatchObject({
    refusal: { problem: { path: '/body/sender_body' } },
  })
  const most = `${sealed}${' '.repeat(64 * 1024 - sealed.length)}`
  expect(validateMessage({ body: most }).ok).toBe(true)
  expect(validateMessage({ body: `${most} ` })).toMatchObject({ refusal: { key: 'request.invalid' } })
})
