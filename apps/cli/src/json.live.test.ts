import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { AccountKey, CustomerClient, memoryPins, PublicKey } from '@sealpost/sdk'
import { APP_ORIGIN, openWorld, startHookReceiver, testSeal, waitUntil } from '@sealpost/testkit'
import { afterAll, expect, test } from 'vitest'
import { commands } from './commands/index.ts'
import { startOwnPlugin } from './plugin-check/testing/own-plugin.ts'
import { openReceiver, openTerminal, type TestTerminal } from './testing.ts'
import { browserOf } from './testing/browser.ts'
import { publishLeaseFlow } from './testing/lease-flow.ts'
import { openServiceTerminal } from './testing/service-terminal.ts'

// Every call is made with --json; the terminal of the tests throws at a line that is no document, and at a command that
// prints more or less than it declares. The last test requires that every command of the table was called.

const world = await openWorld()
const service = await world.service([{ slug: 'name' }, { slug: 'lease', type: 'pdf_document' }])
const { company, serviceId } = service
const ana = await world.person({ displayName: 'Ana Gil' })
const anaKey = await AccountKey.fromPkcs8(ana.keys.privateKey.reveal())
const app = new CustomerClient({ accessToken: () => Promise.resolve(ana), key: anaKey, pins: memoryPins() })
const PDF = plainPdf()
const lease = { file: { bytes: PDF, mimeType: 'application/pdf', originalName: 'lease.pdf' } }
const { id: connectionId } = await app.connect(service.code, { name: { value: 'Ana' }, lease: { value: lease } })
const { client, key, terminal } = await openServiceTerminal(world, service)
const { clientId, clientSecret } = await company.accountClient(['service_management'])
Object.assign(terminal.environment, {
  SEALPOST_ACCOUNT_CLIENT_ID: clientId,
  SEALPOST_ACCOUNT_CLIENT_SECRET: clientSecret,
})
const inFolder = (name: string): string => join(terminal.folder, name)
const portal = ['--email', company.email, '--password-file', 'password', '--app-origin', APP_ORIGIN]
writeFileSync(inFolder('password'), `${company.password}\n`)
writeFileSync(inFolder('phrase'), `${service.passphrase}\n`)
writeFileSync(inFolder('lease.pdf'), PDF)

const called = new Set<string>()

/** Remembers the command, and adds --json. */
function noted(words: readonly string[]): readonly string[] {
  for (const { words: own } of commands) if (own.every((word, at) => words[at] === word)) called.add(own.join(' '))
  return [...words, '--json']
}

interface Printed {
  readonly code: number
  readonly documents: readonly Readonly<Record<string, unknown>>[]
  readonly errors: readonly Readonly<Record<string, unknown>>[]
}

async function runAt(place: TestTerminal, ...words: readonly string[]): Promise<Printed> {
  const { code, out, logged } = await place.run(...noted(words))
  return { code, documents: parsed(out), errors: parsed(logged) }
}

function parsed(text: string): Printed['documents'] {
  return text === '' ? [] : text.split('\n').map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
}

/** Of a call that succeeds: its documents. */
async function all(...words: readonly string[]): Promise<Printed['documents']> {
  const { code, documents, errors } = await runAt(terminal, ...words)
  expect([words, code, errors.filter(({ error }) => error !== undefined)]).toEqual([words, 0, []])
  return documents
}

async function one(...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const [document = {}] = await all(...words)
  return document
}

test('login, whoami, doctor, init and logout', async () => {
  using own = openTerminal({ SEALPOST_FRONT_DOOR: world.frontDoor.url })
  own.browser = browserOf(company)
  // Not logged in: init signs in first, and prints one document all the same.
  own.typed = []
  const made = await runAt(own, 'init', '--name', 'Second', '--admin-email', 'desk@example.com')
  expect(made).toMatchObject({ code: 0, documents: [{ config: 'sealpost.json' }] })
  expect(await runAt(own, 'login')).toMatchObject({ documents: [{ account: { id: company.userId } }] })
  expect(await runAt(own, 'whoami')).toMatchObject({ documents: [{ access: 'login' }] })
  expect((await runAt(own, 'doctor')).documents).toContainEqual(
    expect.objectContaining({ check: 'clock', level: 'ok' }),
  )
  expect(await runAt(own, 'logout')).toMatchObject({ documents: [{ revoked: true }] })
  expect(await runAt(own, 'logout')).toMatchObject({
    code: 1,
    errors: [{ error: expect.stringContaining('no login') }],
  })
})

test('services, their clients and request fields, types and key files', async () => {
  const { id } = await one('services', 'create', '--name', 'A', '--admin-email', 'a@example.com', '--show-passphrase')
  const other = String(id)
  expect((await all('services', 'list')).length).toBeGreaterThan(1)
  expect(await one('services', 'get', other)).toMatchObject({ id })
  expect(await one('services', 'client', 'create', other, '--show-secret')).toHaveProperty('client_secret')
  expect(await one('services', 'client', 'show', other)).not.toHaveProperty('client_secret')
  await one('services', 'client', 'regenerate', other, '--secret-file', 'secret', '--yes')
  expect(await one('services', 'pem', serviceId, '--passphrase-file', 'phrase', '--out', 'k.pem')).toEqual({
    wrote: 'k.pem',
  })
  expect(await one('services', 'request-fields', 'pull', serviceId)).toHaveProperty('config_token')
  expect(await one('services', 'request-fields', 'pull', serviceId, '--out', 'rows.json')).toEqual({
    wrote: 'rows.json',
    rows: 2,
  })
  const push = ['services', 'request-fields', 'push', other, '--file', 'new.json']
  writeFileSync(inFolder('new.json'), '[{"slug":"phone","label":"Phone","type":"phone"}]')
  expect(await one(...push, '--dry-run')).toMatchObject({ added: [{ slug: 'phone' }] })
  expect(await one(...push)).toMatchObject({ request_fields: [{ slug: 'phone' }] })
  expect(await one(...push)).toMatchObject({ request_fields: [{ slug: 'phone' }] })
  expect(await one('services', 'delete', other, '--yes')).toEqual({ id, deleted: true })
  expect(await all('types', 'list')).toContainEqual(expect.objectContaining({ type: 'phone' }))
  const account = ['account', 'pem', ...portal, '--passphrase-file', 'phrase', '--out', 'account.pem']
  expect(await one(...account)).toEqual({ wrote: 'account.pem' })
})

test('connections, messages, invitations, approvals and changes', async () => {
  const following = terminal.start(...noted(['changes', 'follow']))
  await waitUntil('it is ready', 30_000, () => following.logged.includes('{"message":"ready"}'))
  expect(await all('connections', 'list', '--decrypt')).toMatchObject([{ id: connectionId }])
  expect(await one('connections', 'get', connectionId)).toMatchObject({ id: connectionId })
  expect(await all('connections', 'files', connectionId, '--out', 'got')).toMatchObject([
    { slug: 'lease', wrote: ['got/lease.pdf'] },
  ])
  const { message_id: question } = await app.messages.send(connectionId, 'Is it free?')
  const arrived = async () => (await all('messages', 'list', connectionId)).length
  await expect.poll(arrived).toBe(1)
  expect(await one('messages', 'send', connectionId, 'Yes')).toHaveProperty('message_id')
  expect(await one('messages', 'read', connectionId, question)).toMatchObject({ unread_count: 0 })
  expect(await one('messages', 'broadcast', 'We move')).toHaveProperty('recipients')
  const stranger = await world.person()
  expect(await one('invite', stranger.shareCode)).toHaveProperty('request_id')
  const refused = await runAt(terminal, 'approve', stranger.shareCode)
  expect(refused).toMatchObject({ code: 1, documents: [], errors: [{ error_key: expect.any(String) }] })
  await waitUntil('a change is printed', 60_000, () => following.out.length > 0)
  expect(await following.interrupt()).toBe(0)
  expect(await all('changes', '--decrypt')).toContainEqual(expect.objectContaining({ event: 'connection_created' }))
  const sealed = await (await PublicKey.import(key.publicKey)).seal('DE89')
  expect(await one('open', sealed)).toEqual({ value: 'DE89' })
})

test('webhooks', async () => {
  const receiver = await startHookReceiver()
  world.onEnd(() => receiver.close())
  const { id } = await one('webhooks', 'create', serviceId, '--url', receiver.url, '--show-secret')
  const ids = [serviceId, String(id)]
  expect(await all('webhooks', 'list', serviceId)).toMatchObject([{ id }])
  writeFileSync(inFolder('auth.json'), '{"auth_type":"bearer","auth_token":"t"}')
  expect(await one('webhooks', 'update', ...ids, '--auth-file', 'auth.json')).toMatchObject({ auth_type: 'bearer' })
  writeFileSync(inFolder('hmac.json'), '{"auth_type":"hmac"}')
  const updated = await one('webhooks', 'update', ...ids, '--auth-file', 'hmac.json', '--show-secret')
  expect(updated).toMatchObject({ id, auth_type: 'hmac' })
  expect(await one('webhooks', 'rotate', ...ids, '--show-secret')).toHaveProperty('hmac_secret_once')
  expect(await one('webhooks', 'test', ...ids)).toMatchObject({ http_status: 200 })
  expect(await one('webhooks', 'pause', ...ids)).toMatchObject({ paused: true })
  expect(await one('webhooks', 'resume', ...ids)).toMatchObject({ paused: false })
  expect(await one('webhooks', 'probe', ...ids)).toMatchObject({ id })
  expect(await one('webhooks', 'replay', ...ids)).toHaveProperty('queued')
  expect(await all('webhooks', 'deliveries', ...ids)).toContainEqual(expect.objectContaining({ kind: 'test' }))
  expect(await one('webhooks', 'delete', ...ids, '--yes')).toEqual({ id, deleted: true })
})

test('documents, and the check of a seal', async () => {
  expect(await one('documents', 'check', 'lease.pdf')).toEqual({ isSignable: true, pages: 1 })
  const { id } = await one('documents', 'send', 'lease.pdf', '--all')
  const document = String(id)
  expect(await all('documents', 'list')).toMatchObject([{ id }])
  expect(await one('documents', 'show', document)).toMatchObject({ id })
  expect(await one('documents', 'file', document, '--out', 'sent.pdf')).toMatchObject({ wrote: 'sent.pdf' })
  expect(await runAt(terminal, 'documents', 'status', document, 'asleep')).toMatchObject({
    code: 2,
    errors: [{ error: expect.stringContaining('STATUS is one of') }],
  })
  expect(await one('documents', 'delete', document)).toEqual({ id, deleted: true })
  const verified = await runAt(terminal, 'verify', 'lease.pdf')
  expect(verified).toMatchObject({ code: 1, documents: [{ isValid: false }], errors: [{ error: expect.any(String) }] })
})

test('flows, their documents and signatures', async () => {
  const flowId = await publishLeaseFlow(service)
  const run = async (): Promise<string> => {
    const { id } = await one('flows', 'run', flowId, '--connection', connectionId)
    await client.flows.answer(String(id), { room: { value: '12b' } }, key)
    return String(id)
  }
  const id = await run()
  expect(await all('flows', 'list')).toMatchObject([{ id }])
  expect(await one('flows', 'show', id, '--decrypt')).toMatchObject({ id, opened: { room: { value: '12b' } } })
  expect(await one('flows', 'show', id, '--mermaid')).toEqual({ mermaid: expect.stringMatching(/^flowchart TD\n/) })
  expect(await one('flows', 'generate', id)).toMatchObject({ id, participants: expect.any(Array) })
  expect(await one('flows', 'documents', id)).toMatchObject({ id, status: 'awaiting_signature' })
  for (const [act, output] of [
    ['sign', 'lease'],
    ['accept', 'rules'],
  ] as const) {
    const pdf = `${output}-own.pdf`
    const { sha256 } = await one('flows', 'document', id, output, '--out', pdf)
    expect(sha256).toBe(
      createHash('sha256')
        .update(readFileSync(inFolder(pdf)))
        .digest('hex'),
    )
    expect(await one('flows', act, id, output, '--sha256', String(sha256), ...portal)).toMatchObject({
      status: 'active',
      sealed_at: expect.any(String),
    })
  }
  await one('flows', 'document', id, 'lease', '--out', 'sealed.pdf')
  writeFileSync(inFolder('root.pem'), testSeal().root)
  expect(await one('verify', 'sealed.pdf', '--trust', 'root.pem')).toMatchObject({ isValid: true })
  const declined = await run()
  await one('flows', 'generate', declined)
  expect(await one('flows', 'decline', declined, 'rules', ...portal)).toMatchObject({ status: 'ended' })
  expect(await one('flows', 'cancel', await run())).toMatchObject({ status: 'cancelled' })
})

test('plugins, events on this machine, completion, help and version', async () => {
  await using plugin = await startOwnPlugin({})
  expect(await one('plugin', 'check', plugin.url)).toMatchObject({ failed: 0 })
  expect(await one('plugin', 'key', '--out', 'plugin.pem')).toEqual({ wrote: 'plugin.pem' })
  const receiver = await openReceiver()
  world.onEnd(() => receiver.close())
  expect(await one('trigger', 'test', '--to', receiver.url)).toMatchObject({ http_status: 200 })
  expect(await one('trigger', 'field_updated')).toMatchObject({ event: 'field_updated' })
  const listening = terminal.start(...noted(['listen', receiver.url]))
  await waitUntil('it listens', 30_000, () => listening.logged.includes('{"message":"ready"}'))
  expect(await listening.interrupt()).toBe(0)
  expect(await one('completion', 'bash')).toHaveProperty('script')
  expect(await one('help')).toMatchObject({ commands: { length: commands.length } })
  expect(await one('help', 'webhooks', 'rotate')).toMatchObject({ commands: [{ command: 'webhooks rotate' }] })
  expect(await one('services', 'list', '--help')).toMatchObject({ commands: [{ json: 'lines' }] })
  expect(await one('--version')).toHaveProperty('version')
})

test('every command was called with --json', () => {
  const missing = commands.map(({ words }) => words.join(' ')).filter((name) => !called.has(name))
  expect(missing).toEqual([])
})

afterAll(async () => void (await service.portal('DELETE', service.path)))
