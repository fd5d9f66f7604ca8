import { readSettings } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { fixedIds, newOwner, seededRandom, startWithoutLimits, tryLogIn, type TwoRegions } from '@sealpost/testkit'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRegion } from '../../../region.ts'
import { regionSettings } from '../../../settings.ts'
import { rewrapAll } from './operations/rewrap.ts'

const NEW_PEPPER = `p2:${'a-new-pepper-for-tests-'.repeat(2)}`
const NEW_DATA_KEY = `d2:${'a-new-data-key-for-tests-'.repeat(2)}`

let two: TwoRegions
beforeAll(async () => {
  two = await startWithoutLimits()
})
afterAll(() => two.close())

/** The region as if it had been restarted with other keys. */
async function restartEu(keys: { SECRET_PEPPER: string; DATA_KEY: string }, seed: number) {
  await two.eu.close()
  const settings = readSettings(regionSettings, { ...two.environment.eu, ...keys })
  const { clock, telemetry } = two
  return startRegion(settings, { clock, ids: fixedIds(clock, seed), random: seededRandom(seed), telemetry })
}

test('keys are replaced while logins are served: both are valid, all rows are sealed anew, the old keys are removed', async () => {
  const owner = await newOwner(two)
  const { user } = owner
  const begun = await owner.call('POST', '/api/account/2fa', { auth_verifier: user.authVerifier })
  const totp = new TOTP({ secret: String(begun.body['secret']) })
  const nextCode = () => {
    two.clock.advance(30_000)
    return totp.generate({ timestamp: two.clock.now() })
  }
  expect(await owner.call('POST', '/api/account/2fa', { code: nextCode() })).toMatchObject({ status: 200 })

  const old = { SECRET_PEPPER: two.environment.eu['SECRET_PEPPER'], DATA_KEY: two.environment.eu['DATA_KEY'] }
  const both = { SECRET_PEPPER: `${NEW_PEPPER},${old.SECRET_PEPPER}`, DATA_KEY: `${NEW_DATA_KEY},${old.DATA_KEY}` }
  const withBoth = await restartEu(both, 901)
  expect((await tryLogIn(two, user, { otp: nextCode() })).status).toBe(200)

  const { database } = withBoth.platform
  const lines: string[] = []
  const moved = await rewrapAll(withBoth.platform, (line) => lines.push(line))
  expect(moved.factors).toBe(1)
  expect(lines).toContain('rewrapped 1 second factors so far')
  await expect(rewrapAll(withBoth.platform, () => {})).resolves.toEqual({ credentials: 0, factors: 0, mails: 0 })
  for (const [table, keyId] of [
    ['credential', 'p2'],
    ['second_factor', 'd2'],
  ] as const) {
    const rows = await database.read((read) =>
      runStatement<{ key_id: string }>(read, `select distinct key_id from login.${table}`, []),
    )
    expect(rows).toEqual([{ key_id: keyId }])
  }

  await withBoth.close()
  const onlyNew = readSettings(regionSettings, {
    ...two.environment.eu,
    SECRET_PEPPER: NEW_PEPPER,
    DATA_KEY: NEW_DATA_KEY,
  })
  const { clock, telemetry } = two
  const last = await startRegion(onlyNew, { clock, ids: fixedIds(clock, 902), random: seededRandom(902), telemetry })
  try {
    expect((await tryLogIn(two, user, { otp: nextCode() })).status).toBe(200)
  } finally {
    await last.close()
  }
})
