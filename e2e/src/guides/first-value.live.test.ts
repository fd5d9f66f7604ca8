import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { APP_ORIGIN, startTwoRegions, type TwoRegions, waitUntil } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGuide } from './snippets.ts'

const guide = openGuide('docs/guides/first-value.md')
const ran = new Set<string>()
const limits = { timeout: 90_000 }

let sites: TwoRegions

beforeAll(async () => {
  sites = await startTwoRegions()
})
afterAll(async () => {
  guide.close()
  await sites.close()
})

function run(name: string): Promise<string> {
  ran.add(name)
  return guide.run(name, { FRONT_DOOR: sites.frontDoor.url, APP_ORIGIN })
}

const read = (file: string): string => readFileSync(join(guide.folder, file), 'utf8')

test('a client with service_management is created, its credentials in a file of its owner', limits, async () => {
  await run('log-in')
  expect(await run('account-client')).toMatch(/^acct_\w{24}$/)
  expect(JSON.parse(read('sealpost.json'))).toMatchObject({ front_door: sites.frontDoor.url })
  expect(statSync(join(guide.folder, 'sealpost.json')).mode & 0o777).toBe(0o600)
})

test('a service is created with its key file, passphrase and data client', limits, async () => {
  const listed = await run('service')
  for (const file of ['service.pem', 'passphrase.txt', 'secret.txt', 'client-id.txt']) expect(listed).toContain(file)
  expect(read('service.pem')).toContain('BEGIN ENCRYPTED PRIVATE KEY')
  expect(read('client-id.txt')).toMatch(/^svc_\w{24}\n$/)
})

test('its request fields are published from a file', limits, async () => {
  expect(await run('fields')).toBe('name,home,lease')
})

test('a person of another region connects, and the backend reads what she shares', limits, async () => {
  await run('mara')
  expect(await run('connect')).toBe('Rentals')
  expect(await run('read')).toBe('Mara Lindqvist → Mara in Portland\nlease.pdf 16 bytes')
})

test('she changes her address, and the feed and the list have the new one', limits, async () => {
  await run('move')
  let printed = ''
  await waitUntil('the change arrives', 30_000, async () => {
    printed += await run('changes')
    return printed.includes('field_updated')
  })
  expect(printed).toContain('connection_created')
  expect(printed).toMatch(/field_updated .+ home .+"city":"Salem"/)
  expect(await run('changes')).toContain('"city":"Salem"')
})

test('every program of the guide has run', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
