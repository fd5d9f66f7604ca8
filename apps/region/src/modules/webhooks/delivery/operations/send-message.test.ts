import { accept, decline } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { ERROR_CLASSES } from '../model.ts'
import { readAttempt } from './send-message.ts'

test('only the status 200 counts as delivered', () => {
  expect(readAttempt(accept({ status: 200 }))).toEqual({
    isDelivered: true,
    httpStatus: 200,
    errorClass: null,
    error: null,
  })
  for (const status of [201, 202, 204, 206, 301, 302, 304, 307, 400, 401, 404, 410, 429, 500, 502, 503, 599]) {
    expect(readAttempt(accept({ status }))).toEqual({
      isDelivered: false,
      httpStatus: status,
      errorClass: 'status',
      error: `answered ${status}`,
    })
  }
})

test('every failure has a known class and a sentence', () => {
  const failures = [
    { kind: 'refused', reason: 'loopback' },
    { kind: 'dns', code: 'ENOTFOUND' },
    { kind: 'connect', code: 'ECONNREFUSED' },
    { kind: 'tls', code: 'CERT_HAS_EXPIRED' },
    { kind: 'timeout', stage: 'wait' },
    { kind: 'too_large', limitBytes: 1, status: 200 },
    { kind: 'protocol', code: 'ECONNRESET' },
    { kind: 'aborted' },
  ] as const
  for (const failure of failures) {
    const { isDelivered, httpStatus, errorClass, error } = readAttempt(decline(failure))
    expect([isDelivered, httpStatus]).toEqual([false, null])
    expect(ERROR_CLASSES).toContain(errorClass)
    expect(error).toMatch(/\w/)
  }
})
