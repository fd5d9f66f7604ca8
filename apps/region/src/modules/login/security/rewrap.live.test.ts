import { runStatement } from '@sealpost/postgres'
import { openWorld, tryLogIn } from '@sealpost/testkit'
import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { rewrapAll } from './operations/rewrap.ts'

const NEW = {
  SECRET_PEPPER: `p2:${'a-new-pepper-for-tests-'.repeat(2)}`,
  DATA_KEY: `d2:${'a-new-data-key-for-tests-'.repeat(2)}`,
}

const world = await openWorld({ own: true })
const owner = await world.person({ region: 'eu' })

test('keys are replaced while logins are served: both are valid, all rows are sealed anew, the old keys are removed', async () => {
  const begun = await owner.calls('POST', '/api/account/2fa', { body: { auth_verifier: owner.authVerifier } })
  const totp = new TOTP({ secret: String(begun.body['secret']) })
  const nextCode = () => {
    world.clock.advance(30_000)
    return totp.generate({ timestamp: world.clock.now() })
  }
  expect(await owner.calls('POST', '/api/account/2fa', { body: { code: nextCode() } })).toMatchObject({ status: 200 })

  const { SECRET_PEPPER, DATA_KEY } = world.environment.eu
  await world.eu.close()
  const withBoth = await world.another('eu', {
    SECRET_PEPPER: `${NEW.SECRET_PEPPER},${SECRET_PEPPER}`,
    DATA_KEY: `${NEW.DATA_KEY},${DATA_KEY}`,
  })
  expect((await tryLogIn(world, owner, { otp: nextCode() })).status).toBe(200)

  const lines: string[] = []
  const moved = await rewrapAll(withBoth.platform, (line) => lines.push(line))
  expect(moved.factors).toBe(1)
  expect(lines).toContain('rewrapped 1 second factors so far')
  await expect(rewrapAll(withBoth.platform, () => {})).resolves.toEqual({ credentials: 0, factors: 0, mails: 0 })
  for (const [table, keyId] of [
    ['credential', 'p2'],
    ['second_factor', 'd2'],
  ] as const) {
    const rows = await withBoth.platform.database.read((read) =>
      runStatement<{ key_id: string }>(read, `select distinct key_id from login.${table}`, []),
    )
    expect(rows).toEqual([{ key_id: keyId }])
  }

  await withBoth.close()
  await world.another('eu', NEW)
  expect((await tryLogIn(world, owner, { otp: nextCode() })).status).toBe(200)
})
