import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DIRECTORY, openBus } from '@sealpost/bus'
import { openDatabase } from '@sealpost/postgres'
import { quietTelemetry } from '@sealpost/telemetry'
import { createTestDatabase, fixedClock, fixedIds, type TestDatabase } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { frontDoorMigrations } from '../compose.ts'

let place: TestDatabase

beforeAll(async () => {
  place = await createTestDatabase({ template: 'directory', migrations: frontDoorMigrations })
})
afterAll(() => place.drop())

test('a directory that never ran cannot be marked as restored', async () => {
  await expect(markRestored()).rejects.toMatchObject({ stderr: expect.stringContaining('never joined the bus') })
})

test('each restore of the directory is another incarnation', async () => {
  await joinBus()
  const [first, second] = [await markRestored(), await markRestored()].map(({ stdout }) => numberIn(stdout))
  expect(first).toBeGreaterThan(0)
  expect(second).toBeGreaterThan(first ?? expect.fail())
})

function numberIn(text: string): number {
  return Number(/incarnation (\d+)/.exec(text)?.[1])
}

function markRestored(): Promise<{ stdout: string; stderr: string }> {
  const command = fileURLToPath(new URL('restored.ts', import.meta.url))
  return promisify(execFile)(process.execPath, [command], { env: { DIRECTORY_DATABASE_URL: place.url } })
}

async function joinBus(): Promise<void> {
  const clock = fixedClock()
  const database = openDatabase({ url: place.url })
  const bus = openBus({
    self: DIRECTORY,
    parties: { [DIRECTORY]: null },
    database,
    clock,
    ids: fixedIds(clock),
    telemetry: quietTelemetry(),
    roles: { relay: false, inbox: false, responder: false },
  })
  await bus.start()
  await bus.close()
  await database.close()
}
