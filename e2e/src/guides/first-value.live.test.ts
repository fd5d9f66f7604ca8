import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { APP_ORIGIN, openWorld, scaled } from '@sealpost/testkit'
import { seedFirstConnection } from '@sealpost/testkit/demo'
import { expect, test } from 'vitest'
import { publishedService } from './published-service.ts'
import { openGuide } from './snippets.ts'

// Of its own, because the guide logs the fixed personas in.
const world = await openWorld({ own: true })
const guide = await openGuide('docs/guides/first-value.md', world)
// As `npm run dev` leaves it: the person of the guide is connected with another service already.
await seedFirstConnection(world, join(guide.folder, 'demo'))
const ran = new Set<string>()

function run(name: string): Promise<string> {
  ran.add(name)
  return guide.run(name, { FRONT_DOOR: world.frontDoor.url, APP_ORIGIN })
}

const read = (file: string): string => readFileSync(join(guide.folder, file), 'utf8')

test('a client with service_management is created, its credentials in a file of its owner', async () => {
  expect(await run('account-client')).toMatch(/^acct_\w{24}$/)
  expect(JSON.parse(read('sealpost.json'))).toMatchObject({ front_door: world.frontDoor.url })
  expect(statSync(join(guide.folder, 'sealpost.json')).mode & 0o777).toBe(0o600)
})

test('a service is created with its key file, passphrase and data client', async () => {
  const listed = await run('service')
  for (const file of ['service.pem', 'passphrase.txt', 'secret.txt', 'client-id.txt']) expect(listed).toContain(file)
  expect(read('service.pem')).toContain('BEGIN ENCRYPTED PRIVATE KEY')
  expect(read('client-id.txt')).toMatch(/^svc_\w{24}\n$/)
})

test('its request fields are published from a file', async () => {
  expect(await run('fields')).toBe('name,home,lease')
})

test('a person of another region connects, and the backend reads what she shares', async () => {
  await run('mara')
  expect(await run('connect')).toBe('Rentals')
  expect(await run('read')).toBe('Mara Lindqvist → Mara in Portland\nlease.pdf 16 bytes')
})

test('a person who shares the mandatory field only does not stop the backend', async () => {
  const { public_key: publicKey } = JSON.parse(read('service.json'))
  const service = publishedService('NRTHWD/RENTALS', JSON.parse(read('published.json')), publicKey)
  const person = await world.person({ displayName: 'Ana Silva' })
  await person.connected(service, [{ slug: 'name', text: 'Ana' }])
  expect(await run('read')).toContain('Ana Silva → Ana in a place that stays private')
})

test('she changes her address, and the feed and the list have the new one', async () => {
  await run('move')
  let printed = ''
  const print = async (): Promise<string> => (printed += await run('changes'))
  await expect.poll(print, { timeout: scaled(25_000) }).toContain('field_updated')
  expect(printed).toContain('connection_created')
  expect(printed).toMatch(/field_updated .+ home .+"city":"Salem"/)
  expect(await run('changes')).toContain('"city":"Salem"')
})

test('every program of the guide has run', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
