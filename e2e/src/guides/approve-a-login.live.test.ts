import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bodyOf, openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openGuide } from './snippets.ts'

const SOON = { timeout: scaled(60_000) }
const DEVICES = '/api/account/trusted-devices'
const CARDS = '/api/customer/2fa/challenges'

const world = await openWorld()
const guide = await openGuide('docs/guides/approve-a-login.md', world)
const service = await world.service([])
const { person } = await world.customer(service, [])
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
writeFileSync(join(guide.folder, 'device.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
const deviceId = await addDevice()
const ran = new Set<string>()

function variables(more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    FRONT_DOOR: world.frontDoor.url,
    CLIENT_ID: service.client.clientId,
    CLIENT_SECRET: service.client.clientSecret,
    SHARE_CODE: person.shareCode,
    TOKEN: person.token,
    API_URL: person.apiUrl,
    DEVICE_ID: deviceId,
    ...more,
  }
}

function start(name: string, more: Readonly<Record<string, string>> = {}) {
  ran.add(name)
  return guide.start(name, variables(more))
}

async function addDevice(): Promise<string> {
  const { challenge } = await bodyOf(person.calls('POST', `${DEVICES}/options`, { body: { kind: 'device_key' } }))
  const options = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  const body = {
    auth_verifier: person.authVerifier,
    kind: 'device_key',
    name: 'A phone',
    challenge,
    public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    signature: sign('sha256', Buffer.from(String(challenge)), options).toString('base64'),
  }
  return String((await bodyOf(person.calls('POST', DEVICES, { body }), 201))['id'])
}

const waiting = async () => (await bodyOf(person.calls('GET', CARDS)))['total']

test('a person enrols by a link', async () => {
  const program = start('enroll')
  await expect.poll(() => program.printed(), SOON).toMatch(/^http/)
  const link = new URL(program.printed().trim())
  const answer = await fetch(`${world.frontDoor.url}/oauth2/authorize`, {
    method: 'POST',
    body: JSON.stringify({ ...Object.fromEntries(link.searchParams), decision: 'approve' }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
  })
  expect(answer.status).toBe(200)
  await expect.poll(() => program.printed(), SOON).toContain('enrolled\n')
  await program.stop()
})

test('a login is approved, another is denied, and one for an unknown person is refused', async () => {
  for (const [attempt, wanted, status, outcome] of [
    ['1', 'approve', 'approved', 'welcome'],
    ['2', 'deny', 'denied', 'refused: denied'],
  ] as const) {
    const login = start('login', { ATTEMPT: `guide-${attempt}` })
    await expect.poll(waiting, SOON).toBe(1)
    ran.add('answer')
    expect(await guide.run('answer', variables({ ANSWER: wanted }))).toBe(`Login to Northwind from Bern\n${status}`)
    await expect.poll(() => login.printed(), SOON).toContain(outcome)
    await login.stop()
  }
  const unknown = variables({ ATTEMPT: 'guide-3', SHARE_CODE: 'ZZZZZZ' })
  expect(await guide.run('login', unknown)).toBe('refused: twofa.person_not_found')
})

test('every program of the guide ran', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
