import { generateKeyPairSync } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  bodyOf,
  call,
  contactPath,
  type DemoVerifier,
  type Installation,
  logIn,
  northwind,
  type Owner,
  sealTo,
  sealToSelf,
  signUp,
  startDemoVerifier,
  startInstallation,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { servicePem } from './service-pem.ts'
import { openGuide } from './snippets.ts'

const guide = await openGuide('docs/guides/verification.md')
const ran = new Set<string>()
const ISSUER = 'https://desk.example/verify'
const NUMBER = '800101-1234'
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keyFile = join(tmpdir(), `verification-guide-${process.pid}.pem`)
const privateKeyFile = join(tmpdir(), `verification-guide-${process.pid}.der`)

/** Real processes, because the programs of the guide use the real clock. */
let sites: Installation
let demo: DemoVerifier
let person: Owner

beforeAll(async () => {
  demo = await startDemoVerifier()
  const desk = `desk|eid|${ISSUER}|${JSON.stringify(publicKey.export({ format: 'jwk' }))}`
  sites = await startInstallation({ settings: { VERIFIERS: `${demo.setting};${desk}`, RATE_LOGIN_ACCOUNT: '600' } })
  const user = await signUp(sites, { userType: 'person', region: 'us' })
  const session = await logIn(sites, user)
  person = { ...session, user, call: (method, path, body) => call(session, method, path, { body }) }
  writeFileSync(keyFile, await servicePem(northwind.service))
  writeFileSync(privateKeyFile, user.keys.privateKey.reveal())
})
afterAll(async () => {
  guide.close()
  for (const file of [keyFile, privateKeyFile]) rmSync(file, { force: true })
  await demo.close()
  await sites.stop()
})

async function run(name: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  ran.add(name)
  return guide.run(name, {
    TOKEN: person.token,
    API_URL: person.apiUrl,
    PRIVATE_KEY_FILE: privateKeyFile,
    ...variables,
  })
}

test('an address is verified by a mailed code', async () => {
  const { fieldId, verificationId } = JSON.parse(await run('email-begin'))
  const code = await sites.mail.waitForCode(person.user.email, 'verify')
  const printed = await run('email-confirm', { FIELD_ID: fieldId, VERIFICATION_ID: verificationId, CODE: code })
  expect(printed).toBe('email_code platform_email')
})

test('a provider verifies a number, and a service that it is shared with checks it', async () => {
  expect(await run('with-provider', { EVIDENCE: ` ${NUMBER} ` })).toBe('id_document demo_id')
  const connectionId = await connect()
  const variables = {
    FRONT_DOOR: sites.frontDoor.url,
    CLIENT_ID: northwind.clientId,
    CLIENT_SECRET: northwind.clientSecret,
    KEY_FILE: keyFile,
    PASSPHRASE: northwind.service.passphrase,
    CONNECTION_ID: connectionId,
    VERIFIERS: JSON.stringify({ demo_id: [demo.publicKey] }),
  }
  await waitUntil('the connection has arrived', 15_000, async () => (await run('company-check', variables)) !== '')
  expect(await run('company-check', variables)).toBe(`number ${NUMBER} attested by verifier`)
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const unknown = { ...variables, VERIFIERS: JSON.stringify({ demo_id: [other] }) }
  expect(await run('company-check', unknown)).toBe(`number ${NUMBER} not_attested by null`)
  const verified = await bodyOf(person.call('GET', await contactPath(person, 'personal_number')))
  const checked = (text: string) => run('without-sdk', { TEXT: text, VERIFIED: JSON.stringify(verified) })
  expect(await checked(NUMBER)).toBe('true')
  expect(await checked(`${NUMBER} `)).toBe('false')
})

/** Shares the number with a service that requests a verified one. */
async function connect(): Promise<string> {
  const portal = await logIn(sites, { email: northwind.email, authVerifier: northwind.login.authVerifier })
  const path = `/api/services/${northwind.serviceId}/request-fields`
  const { config_token: token } = await bodyOf(call(portal, 'GET', path))
  const row = { slug: 'number', label: 'Number', type: 'personal_number', verified: true }
  const published = await bodyOf(call(portal, 'PUT', path, { body: { config_token: token, request_fields: [row] } }))
  const [asked] = published['request_fields'] as readonly { readonly id: string }[]
  const source = (await contactPath(person, 'personal_number')).split('/').at(-1)
  const value = await sealTo(northwind.service.publicKey, NUMBER)
  const decisions = [{ request_field_id: asked?.id, kind: 'linked', source_field_id: source, value }]
  const code = `${northwind.shareCode}/${northwind.service.shareCode}`
  return String((await bodyOf(person.call('POST', '/api/company-connections', { code, decisions }), 201))['id'])
}

test('the platform accepts a statement signed with the key of a provider', async () => {
  const path = await contactPath(person, 'phone')
  const text = '+31201234567'
  await bodyOf(person.call('PUT', path, { value: await sealToSelf(person, text) }))
  const begun = await bodyOf(person.call('POST', `${path}/verifications`, { provider: 'desk' }), 201)
  expect(begun).toMatchObject({ provider_url: ISSUER })
  const statement = await run('provider', {
    ISSUER,
    PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    VERIFICATION_ID: String(begun['verification_id']),
    CHALLENGE: String(begun['challenge']),
    FIELD_TYPE: 'phone',
    TEXT: text,
  })
  const confirm = `${path}/verifications/${String(begun['verification_id'])}/confirm`
  expect(await person.call('POST', confirm, { statement })).toMatchObject({
    status: 200,
    body: { verified_method: 'eid', verified_provider: 'desk', verified_expires_at: null },
  })
})

test('every program of the guide has run', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
