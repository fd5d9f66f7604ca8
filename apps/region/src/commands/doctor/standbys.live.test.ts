import { openDatabase } from '@sealpost/postgres'
import { scaled, startPrivatePostgres, startPrivateStandby, withClient } from '@sealpost/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { diagnoseStandbys } from './standbys.ts'

test('the report follows a real primary: no standby, one, and one that has failed', async () => {
  const primary = await startPrivatePostgres()
  onTestFinished(() => primary.remove())
  const diagnose = async (url: string): Promise<string> => {
    const database = openDatabase({ url })
    try {
      return await diagnoseStandbys(database)
    } finally {
      await database.close()
    }
  }
  expect(await diagnose(primary.url)).toContain('none is waited for')
  await withClient({ connectionString: primary.url }, (client) => client.query('create role guest login'))
  const standby = await startPrivateStandby(primary)
  onTestFinished(() => standby.remove())
  await primary.requireStandby()
  expect(await diagnose(primary.url)).toContain(
    "synchronous_standby_names = '*'; 1 of them follow: walreceiver; one that fails stops all writes",
  )
  expect(await diagnose(primary.url.replace('postgres@', 'guest@'))).toContain('grant it pg_monitor')
  await standby.kill()
  await expect.poll(() => diagnose(primary.url), { timeout: scaled(15_000) }).toContain('WRITES WAIT NOW for 1')
})
