import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { servicePem } from './service-pem.ts'
import { openGuide } from './snippets.ts'
import { personVariables, serviceVariables } from './variables.ts'

const SOON = { timeout: scaled(60_000) }
const world = await openWorld()
const guide = await openGuide('docs/guides/exchange-messages.md', world)
const service = await world.service([])
const mara = await world.person({ region: 'us' })
const connectionId = await mara.connected(service)
const ran = new Set<string>()
writeFileSync(join(guide.folder, 'service.pem'), await servicePem(service))
writeFileSync(join(guide.folder, 'private.der'), mara.keys.privateKey.reveal())

function run(name: string): Promise<string> {
  ran.add(name)
  return guide.run(name, {
    ...serviceVariables(world, service),
    ...personVariables(mara),
    CONNECTION_ID: connectionId,
  })
}

const unread = async (calls: typeof mara.calls, path: string) => (await calls('GET', path)).body['unread_count']

test('a message is written once, by a program that may run twice', async () => {
  expect(await run('write')).toMatch(/^[0-9a-f-]{36}$/)
  await expect(run('write')).rejects.toThrow('idempotency.conflict')
  const path = `/api/company-connections/${connectionId}/messages`
  await expect.poll(() => unread(mara.calls, path), SOON).toBe(1)
})

test('its customer reads it and answers, and the service gets the answer', async () => {
  // Messages of one moment have no order.
  world.clock.advance(1000)
  expect(await run('answer')).toBe('company: Your key is ready')
  const path = `/api/company-data/connections/${connectionId}/messages`
  await expect.poll(() => unread(service.data, path), SOON).toBe(1)
  expect(await run('receive')).toBe('I will fetch it on Monday')
  await expect.poll(() => unread(service.data, path), SOON).toBe(0)
})

test('the thread has both with their receipts, and a broadcast', async () => {
  world.clock.advance(1000)
  expect(await run('broadcast')).toBe('sent to 1 connections')
  await expect
    .poll(async () => {
      const [, ...rows] = (await run('thread')).split('\n')
      return rows.map((line) => line.split(/ {2,}/).slice(2).join(' '))
    })
    .toEqual([
      'broadcast The office is closed on Monday',
      'person read I will fetch it on Monday',
      'company read Your key is ready',
    ])
})

test('every program of the guide has run', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
