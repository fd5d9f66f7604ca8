import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { askOthers } from '@sealpost/pdf/testing'
import { openWorld, scaled, testSeal } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openGuide } from './snippets.ts'
import { personVariables } from './variables.ts'

const DAY_MS = 24 * 3_600_000
const SOON = { timeout: scaled(60_000) }
const PDF = plainPdf(2)

const world = await openWorld()
const guide = await openGuide('docs/guides/send-a-contract.md', world)
const service = await world.service([])
const mara = await world.person({ region: 'us', displayName: 'Mara Müller' })
const connectionId = await mara.connected(service)
const ran = new Set<string>()
const inFolder = (name: string): string => join(guide.folder, name)
const write = (name: string, bytes: Uint8Array | string): void => writeFileSync(inFolder(name), bytes)
write('lease.pdf', PDF)
write('platform-ca.pem', testSeal().root)
write('private.der', mara.keys.privateKey.reveal())

function run(name: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  ran.add(name)
  const { clientId, clientSecret } = service.client
  return guide.run(name, {
    FRONT_DOOR: world.frontDoor.url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    SEALPOST_FRONT_DOOR: world.frontDoor.url,
    SEALPOST_CLIENT_ID: clientId,
    SEALPOST_CLIENT_SECRET: clientSecret,
    ...personVariables(mara),
    CONNECTION_ID: connectionId,
    ...variables,
  })
}

/** Of the contract that the first test sends. */
let id = ''

test('a contract is sent once, by a program that may run twice', async () => {
  id = await run('send')
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(await run('send')).toBe(id)
  const other = await run('send-by-command')
  expect(other).not.toBe(id)
  write('lease.pdf', PDF.subarray(0, 300))
  expect(await run('send')).toBe('not sent: The file is damaged: its objects cannot be read without repair. ' + REASON)
  write('lease.pdf', PDF)
})

const REASON = 'Nothing is repaired or removed, for signers sign the bytes that they were shown.'

test('its customer reads and signs it, and gets it back sealed', async () => {
  const path = `/api/company-connections/${connectionId}/documents/${id}`
  await expect.poll(async () => (await mara.calls('GET', path)).status, SOON).toBe(200)
  const variables = { DOCUMENT_ID: id }
  expect(await run('open', variables)).toBe('Lease ready_to_sign')
  expect(readFileSync(inFolder('shown.pdf')).equals(PDF)).toBe(true)
  const code = await world.mail.waitForCode(mara.email)
  expect(await run('sign', { ...variables, CODE: code })).toBe('active sealed')
  await expect.poll(() => run('keep', variables), SOON).toBe('sealed, 1 signature')
  expect(await askOthers(readFileSync(inFolder('lease-signed.pdf')), testSeal().root)).toEqual({
    isClean: true,
    isSignatureValid: true,
    isAllSigned: true,
    isCades: true,
  })
})

test('the company learns who signed, and of the sealed file by its digest', async () => {
  const digest = createHash('sha256')
    .update(readFileSync(inFolder('lease-signed.pdf')))
    .digest('hex')
  expect(await run('follow')).toBe(`${id} signed email active by Mara Müller ${digest}`)
})

test('everyone can check the file', async () => {
  expect(await run('verify')).toMatch(/^valid\n[^]+ {2}signed +unverified name Mara Müller, email, /)
  expect(await run('verify-in-program')).toBe('Mara Müller signed email\nit contains the PDF that was sent')
})

test('the company ends it on a day', async () => {
  const day = world.time(60 * DAY_MS).slice(0, 10)
  expect(await run('end', { DOCUMENT_ID: id, LAST_DAY: day })).toBe(`active_but_ending ${day}`)
})

test('every program of the guide has run', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
