import type { ConnectionId } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import { refuseOverQuota } from './quota.ts'
import { invalid, refuseShares, refuseValue } from './refusals.ts'

const MB = 1_048_576

describe('the quota', () => {
  test('is reached, but not exceeded', () => {
    expect(() => refuseOverQuota(10 * MB, 10 * MB, MB)).not.toThrow()
    expect(() => refuseOverQuota(10 * MB, null, MB)).not.toThrow()
    expect(() => refuseOverQuota(10 * MB + 1, 10 * MB, MB)).toThrow(
      'stores 9.0 MB in files and its level allows 10.0 MB; this call would add 1.0 MB',
    )
  })
})

describe('a refusal', () => {
  test('names the member and the problem', () => {
    expect(invalid('/body/value', 'is wrong').body()).toMatchObject({
      error_key: 'request.invalid',
      details: [{ path: '/body/value', message: 'is wrong' }],
    })
  })

  test('of a value says why', () => {
    expect(refuseValue({ kind: 'not_sealed' }, '/body').key).toBe('contact_data.encryption_required')
    expect(refuseValue({ kind: 'too_large', maxMb: 5 }, '/body')).toMatchObject({ status: 413 })
    const faults = Array.from({ length: 30 }, (_, index) => ({ path: `/${index}`, message: 'is wrong' }))
    const { details } = refuseValue({ kind: 'faults', faults }, '/body/value')
    expect(details['details']).toHaveLength(20)
    expect(details['details']).toMatchObject({ 0: { path: '/body/value/0', message: 'is wrong' } })
  })

  test('of shares names those that are missing', () => {
    expect(
      refuseShares([{ connectionId: 'k1' as ConnectionId, slug: 'email' }] as Parameters<
        typeof refuseShares
      >[0]).body(),
    ).toMatchObject({
      missing: [{ connection_id: 'k1', slug: 'email' }],
    })
  })
})
