import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountClient, PublicKey } from '@sealpost/sdk'
import { type LoggedIn, logIn, mara, northwind, signUp, startTwoRegions, type TwoRegions } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGuide } from './snippets.ts'

const guide = openGuide('docs/guides/keys-and-passphrases.md')
const ran = new Set<string>()
const limits = { timeout: 60_000 }

let sites: TwoRegions
let session: LoggedIn
let portal: AccountClient
let account: Readonly<Record<string, string>>
let login: Readonly<Record<string, string>>
let serviceId = ''

beforeAll(async () => {
  sites = await startTwoRegions()
  session = await logIn(sites, { email: northwind.email, authVerifier: northwind.login.authVerifier })
  portal = new AccountClient({ accessToken: () => Promise.resolve(session) })
  const made = await portal.clients.create({ name: 'Keys', capabilities: ['service_management'] })
  account = { CLIENT_ID: made.client_id, CLIENT_SECRET: made.client_secret ?? '' }
  login = { PORTAL_TOKEN: session.token, API_URL: session.apiUrl }
})
afterAll(async () => {
  guide.close()
  await sites.close()
})

function run(name: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  ran.add(name)
  return guide.run(name, { FRONT_DOOR: sites.frontDoor.url, ...variables })
}

const read = (file: string): string => readFileSync(join(guide.folder, file), 'utf8')

test('a service is created, its passphrase kept and a recovery copy stored', limits, async () => {
  const [id = '', ...said] = (await run('make', account)).split(' ')
  serviceId = id
  expect(said.join(' ')).toBe('copy stored')
  expect(read('passphrase.txt')).toMatch(/^[\w-]{43}$/)
})

test('the key file opens with openssl, under the passphrase and under another', limits, async () => {
  await run('pem', { ...account, SERVICE_ID: serviceId })
  expect(await run('openssl')).toBe('service.pem opens\nbackup.pem opens')
})

test('a value is opened without the SDK', limits, async () => {
  const { public_key: publicKey } = await portal.services.read(serviceId)
  const value = await (await PublicKey.import(publicKey)).seal('only for you, ü')
  expect(await run('without-sdk', { VALUE: value })).toBe('only for you, ü')
})

test('a lost passphrase is recovered with the password and a mailed code', limits, async () => {
  expect(await run('recovery-code', login)).toBe('mail_sent')
  const code = await sites.mail.waitForCode(northwind.email)
  const proof = { EMAIL: northwind.email, PASSWORD: northwind.login.password, CODE: code, SERVICE_ID: serviceId }
  expect(await run('recover', { ...login, ...proof })).toBe(read('passphrase.txt'))
})

test("a delegate gets the passphrase sealed to the delegate's own key", limits, async () => {
  const user = await signUp(sites, { userType: 'person', region: 'us' })
  expect(await run('delegate', { ...login, SHARE_CODE: user.shareCode, SERVICE_ID: serviceId })).toBe('true')
})

test('a key is pinned at its first use, and another one is refused', limits, async () => {
  const client = { SERVICE_CLIENT_ID: northwind.clientId, SERVICE_CLIENT_SECRET: northwind.clientSecret }
  const variables = { ...client, SHARE_CODE: mara.shareCode }
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
