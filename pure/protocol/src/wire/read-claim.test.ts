import { describe, expect, test } from 'vitest'
import { readClaim } from './read-claim.ts'

const CLAIMABLE = ['email', 'text']
const read = (members: Record<string, unknown>) =>
  readClaim({ name: 'mail', type: 'email', ...members }, 'claim 1', CLAIMABLE)

describe('a claim', () => {
  test('has a name and a type; the rest has defaults', () => {
    expect(read({ name: ' mail ' })).toEqual({
      ok: true,
      value: {
        name: 'mail',
        type: 'email',
        label: null,
        suggest: null,
        required: false,
        verified: false,
        verified_max_age_days: null,
      },
    })
    const all = { label: 'Mail', suggest: 'work', required: true, verified: true, verified_max_age_days: 30 }
    expect(read(all)).toEqual({ ok: true, value: { name: 'mail', type: 'email', ...all } })
  })

  test.each<[members: Record<string, unknown>, isPlugin: boolean]>([
    [{ name: undefined }, false],
    [{ name: ' ' }, false],
    [{ name: 7 }, false],
    [{ name: 'x'.repeat(201) }, false],
    [{ type: 'photo' }, false],
    [{ type: 7 }, false],
    [{ type: 'plugin' }, true],
    [{ plugin: 'p' }, true],
    [{ label: 7 }, false],
    [{ label: 'x'.repeat(201) }, false],
    [{ suggest: 7 }, false],
    [{ required: 'yes' }, false],
    [{ verified: 'yes' }, false],
    [{ type: 'text', verified: true }, false],
    [{ verified: true, verified_max_age_days: 0 }, false],
    [{ verified: true, verified_max_age_days: 1.5 }, false],
    [{ verified: true, verified_max_age_days: 36_501 }, false],
    [{ verified: true, verified_max_age_days: '30' }, false],
    [{ verified_max_age_days: 30 }, false],
  ])('is refused with %j', (members, isPlugin) => {
    expect(read(members)).toMatchObject({
      ok: false,
      refusal: { isPlugin, reason: expect.stringContaining('claim 1') },
    })
  })

  test.each<Record<string, unknown>>([
    { name: 'x'.repeat(200) },
    { type: 'text' },
    { plugin: null },
    { label: null, suggest: null },
    { verified: true, verified_max_age_days: 1 },
    { verified: true, verified_max_age_days: 36_500 },
  ])('is read with %j', (members) => {
    expect(read(members).ok).toBe(true)
  })
})
