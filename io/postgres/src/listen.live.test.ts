import { type PrivatePostgres, startPrivatePostgres, startPrivateStandby, waitUntil } from '@sealpost/testkit/engines'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { listen, type Listener } from './listen.ts'
import { runStatement } from './scope.ts'

let server: PrivatePostgres
let standby: PrivatePostgres
let database: Database
let listener: Listener
let heard: string[] = []
let reconnects = 0

beforeEach(async () => {
  server = await startPrivatePostgres()
  standby = await startPrivateStandby(server)
  const url = `postgres://postgres@127.0.0.1:${server.port},127.0.0.1:${standby.port}/postgres`
  database = openDatabase({ url, connectTimeoutMs: 15_000 })
  heard = []
  reconnects = 0
  listener = await listen({
    url,
    channels: ['Wake-Up'],
    onNotification: (channel, payload) => heard.push(`${channel} ${payload}`),
    onReconnect: () => (reconnects += 1),
  })
})
afterEach(async () => {
  await listener.close()
  await database.close()
  await Promise.all([server.remove(), standby.remove()])
})

test('a notification arrives when its transaction commits and not when it rolls back', async () => {
  await notify('first')
  const rolledBack = database.transaction(async (tx) => {
    await runStatement(tx, 'select pg_notify($1, $2)', ['Wake-Up', 'never'])
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await notify('second')
  await waitUntil('both have arrived', 5000, () => heard.length >= 2)
  expect(heard).toEqual(['Wake-Up first', 'Wake-Up second'])
  expect(reconnects).toBe(0)
})

test('after a restart the listener says that there was a gap, then hears again', async () => {
  await server.kill()
  await server.start()
  await expectHearing('again')
})

test('after a failover the listener finds the new primary', async () => {
  await standby.catchUpWith(server)
  await server.kill()
  await standby.promote()
  await expectHearing('from the new primary')
})

/** After one reconnect. */
async function expectHearing(payload: string): Promise<void> {
  await waitUntil('it listens again', 10_000, () => reconnects === 1)
  await notify(payload)
  await waitUntil('it has arrived', 5000, () => heard.length > 0)
  expect(heard).toEqual([`Wake-Up ${payload}`])
}

async function notify(payload: string): Promise<void> {
  await database.transaction((tx) => runStatement(tx, 'select pg_notify($1, $2)', ['Wake-Up', payload]))
}
