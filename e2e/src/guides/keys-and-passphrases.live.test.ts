import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountClient, PublicKey } from '@sealpost/sdk'
import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openGuide } from './snippets.ts'

const world = await openWorld()
const { northwind, mara } = await world.personas('northwind', 'mara')
const client = await northwind.accountClient(['service_management'])
const portal = new AccountClient({ accessToken: () => Promise.resolve(northwind) })
const guide = await openGuide('docs/guides/keys-and-passphrases.md', world)
const ran = new Set<string>()
const account = { CLIENT_ID: client.clientId, CLIENT_SECRET: client.clientSecret }
const login = { PORTAL_TOKEN: northwind.token, API_URL: northwind.apiUrl }
/** Of the service that the first program creates. */
let serviceId = ''

function run(name: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  ran.add(name)
  return guide.run(name, { FRONT_DOOR: world.frontDoor.url, ...variables })
}

const read = (file: string): string => readFileSync(join(guide.folder, file), 'utf8')

test('a service is created, its passphrase kept and a recovery copy stored', async () => {
  const [id = '', ...said] = (await run('make', account)).split(' ')
  serviceId = id
  expect(said.join(' ')).toBe('copy stored')
  expect(read('passphrase.txt')).toMatch(/^[\w-]{43}$/)
})

test('the key file opens with openssl, under the passphrase and under another', async () => {
  await run('pem', { ...account, SERVICE_ID: serviceId })
  expect(await run('openssl')).toBe('service.pem opens\nbackup.pem opens')
})

test('a value is opened without the SDK', async () => {
  const { public_key: publicKey } = await portal.services.read(serviceId)
  const value = await (await PublicKey.import(publicKey)).seal('only for you, ü')
  expect(await run('without-sdk', { VALUE: value })).toBe('only for you, ü')
})

test('a lost passphrase is recovered with the password and a mailed code', async () => {
  expect(await run('recovery-code', login)).toBe('mail_sent')
  const code = await world.mail.waitForCode(northwind.email)
  const proof = { EMAIL: northwind.email, PASSWORD: northwind.login.password, CODE: code, SERVICE_ID: serviceId }
  expect(await run('recover', { ...login, ...proof })).toBe(read('passphrase.txt'))
})

test("a delegate gets the passphrase sealed to the delegate's own key", async () => {
  const { shareCode } = await world.person()
  expect(await run('delegate', { ...login, SHARE_CODE: shareCode, SERVICE_ID: serviceId })).toBe('true')
})

test('a key is pinned at its first use, and another one is refused', async () => {
  const service = { SERVICE_CLIENT_ID: northwind.clientId, SERVICE_CLIENT_SECRET: northwind.clientSecret }
  const variables = { ...service, SHARE_CODE: mara.shareCode }
  const pins = join(guide.folder, 'pins.json')
  writeFileSync(pins, '[]')
  const pinned = await run('pins', variables)
  expect(pinned).toMatch(/^pinned [0-9a-f]{64}$/)
  expect(await run('pins', variables)).toBe(pinned)
  writeFileSync(pins, JSON.stringify([[`account:${mara.userId}`, 'ab'.repeat(32)]]))
  expect(await run('pins', variables)).toBe(`not the key we know of account:${mara.userId}`)
})

test('every program of the guide has run', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
