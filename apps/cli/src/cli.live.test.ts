import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountKey, CustomerClient, memoryPins } from '@sealpost/sdk'
import { openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openAccountTerminal, openReceiver } from './testing.ts'

const PDF = Buffer.from('%PDF-1.7\n% a lease\n%%EOF\n')

const world = await openWorld()
const company = await world.company()
const terminal = openAccountTerminal(world, await company.accountClient(['service_management']))
const code = `${company.shareCode}/RENT`
/** Of the service that the first test creates. */
let serviceId = ''

const inFolder = (name: string): string => join(terminal.folder, name)
const readFile = (name: string): string => readFileSync(inFolder(name), 'utf8')

test('a created service has its secrets in files for their owner, and prints none', async () => {
  const about = ['--name', 'Rentals', '--admin-email', 'desk@northwind.example', '--share-code', 'RENT']
  const made = await terminal.run('services', 'create', ...about, '--passphrase-file', 'phrase', '--json')
  expect(made).toMatchObject({ code: 0, logged: '' })
  const service: Readonly<Record<string, unknown>> = JSON.parse(made.out)
  expect(service).toMatchObject({ name: 'Rentals', share_code: 'RENT', recovery_copy_id: expect.any(String) })
  serviceId = String(service['id'])
  const phrase = readFile('phrase').trim()
  expect(phrase).toMatch(/^[\w-]{43}$/)
  expect(made.out).not.toContain(phrase)
  expect(statSync(inFolder('phrase')).mode & 0o777).toBe(0o600)

  const client = await terminal.run('services', 'client', 'create', serviceId, '--secret-file', 'secret')
  expect(client).toMatchObject({ code: 0, out: expect.stringMatching(/^svc_\w{24}$/) })
  terminal.environment['SEALPOST_CLIENT_ID'] = client.out
  terminal.environment['SEALPOST_CLIENT_SECRET_FILE'] = 'secret'
  const pem = await terminal.run('services', 'pem', serviceId, '--passphrase-file', 'phrase', '--out', 'key.pem')
  expect(pem).toMatchObject({ code: 0, out: '', logged: 'wrote key.pem' })
  expect(readFile('key.pem')).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/)
  terminal.environment['SEALPOST_KEY_FILE'] = 'key.pem'
  terminal.environment['SEALPOST_PASSPHRASE_FILE'] = 'phrase'
  const listed = await terminal.run('services', 'list')
  expect(listed.out).toContain(`${serviceId}  RENT  Rentals`)
})

test('request fields are pushed from a file, pulled, and refused after a concurrent publication', async () => {
  const rows = [
    { slug: 'name', label: 'Name', type: 'text', mandatory: true },
    { slug: 'lease', label: 'Lease', type: 'pdf_document' },
  ]
  writeFileSync(inFolder('fields.json'), JSON.stringify(rows))
  const push = ['services', 'request-fields', 'push', serviceId, '--file', 'fields.json']
  expect(await terminal.run(...push)).toMatchObject({
    code: 0,
    logged: expect.stringContaining('published 2 rows'),
  })
  expect(readFile('fields.json')).toBe(JSON.stringify(rows))
  const pulled = await terminal.run('services', 'request-fields', 'pull', serviceId)
  expect(JSON.parse(pulled.out)).toMatchObject({ request_fields: rows, config_token: expect.any(String) })

  const stale = pulled.out
  const { config_token, request_fields } = JSON.parse(stale)
  const changed = {
    config_token,
    request_fields: [...request_fields, { slug: 'phone', label: 'Phone', type: 'phone' }],
  }
  writeFileSync(inFolder('fields.json'), JSON.stringify(changed))
  expect((await terminal.run(...push)).code).toBe(0)
  writeFileSync(inFolder('fields.json'), stale)
  const late = await terminal.run(...push)
  expect(late).toMatchObject({ code: 1, logged: expect.stringContaining('services.config_conflict') })
  expect(await terminal.run(...push, '--force')).toMatchObject({ code: 1, logged: expect.stringContaining('--remove') })
  expect((await terminal.run(...push, '--force', '--remove', 'phone')).logged).toContain('published 2 rows')
})

test('connections, files and changes are read and decrypted with the key file', async () => {
  const ana = await world.person({ displayName: 'Ana Gil' })
  const key = await AccountKey.fromPkcs8(ana.keys.privateKey.reveal())
  const app = new CustomerClient({ accessToken: () => Promise.resolve(ana), key, pins: memoryPins() })
  const lease = { file: { bytes: PDF, mimeType: 'application/pdf', originalName: '../../lease.pdf' } }
  const { id: connectionId } = await app.connect(code, { name: { value: 'Ana' }, lease: { value: lease } })

  const sealed = await terminal.run('connections', 'list')
  expect(sealed).toMatchObject({ code: 0, logged: '' })
  expect(sealed.out).toContain(connectionId)
  expect(sealed.out).not.toContain('"Ana"')
  const listed = await terminal.run('connections', 'list', '--decrypt')
  expect(listed.out).toMatch(/name\s+Ana$/m)
  const one = await terminal.run('connections', 'get', connectionId, '--decrypt', '--json')
  expect(JSON.parse(one.out)).toMatchObject({ id: connectionId, opened: { name: { value: 'Ana' } } })

  const fetched = await terminal.run('connections', 'files', connectionId, '--out', 'got')
  expect(fetched).toMatchObject({ code: 0, logged: expect.stringContaining('wrote got/lease.pdf') })
  expect(readdirSync(inFolder('got'))).toEqual(['lease.pdf'])
  expect(readFileSync(inFolder('got/lease.pdf'))).toEqual(PDF)
  expect(await terminal.run('connections', 'files', connectionId, 'nothing')).toMatchObject({ code: 1 })

  const first = await terminal.run('changes', '--json', '--decrypt')
  expect(first.code).toBe(0)
  expect(first.out.split('\n').map((line) => JSON.parse(line).event)).toContain('connection_created')
  expect((await terminal.run('changes')).out).toBe('')
})

test('a customer’s texts neither steer the terminal nor look like marks or rows of the command', async () => {
  const value = 'Bo  attested\n  lease  a file\u{9b}2J\u{202e}\u{200b}'
  const bo = await world.person({ displayName: 'Bo\u{1b}[2J\u{2066}' })
  const key = await AccountKey.fromPkcs8(bo.keys.privateKey.reveal())
  const app = new CustomerClient({ accessToken: () => Promise.resolve(bo), key, pins: memoryPins() })
  const { id } = await app.connect(code, { name: { value } })
  const shown = await terminal.run('connections', 'get', id, '--decrypt')
  expect(shown.out.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^[\w-]+ {2}\S+ {2}Bo\u{fffd}\[2J\u{fffd}$/u),
    expect.stringMatching(/^ {2}name +Bo {2}attested\u{fffd} {2}lease {2}a file\u{fffd}2J\u{fffd}\u{fffd}$/u),
  ])
  const json = await terminal.run('connections', 'get', id, '--decrypt', '--json')
  expect(json.out).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(json.out)).toMatchObject({ opened: { name: { value } } })
})

test('messages are sent, read with the key file and acknowledged', async () => {
  const eva = await world.person({ displayName: 'Eva Lund' })
  const key = await AccountKey.fromPkcs8(eva.keys.privateKey.reveal())
  const app = new CustomerClient({ accessToken: () => Promise.resolve(eva), key, pins: memoryPins() })
  const { id } = await app.connect(code, { name: { value: 'Eva' } })
  const { message_id: question } = await app.messages.send(id, 'Is it free?')
  const has = async (text: string) => (await terminal.run('messages', 'list', id)).out.includes(text)
  await waitUntil('the message has arrived', 30_000, () => has(question))

  expect((await terminal.run('messages', 'send', id, 'Until Friday')).code).toBe(0)
  const listed = await terminal.run('messages', 'list', id, '--decrypt')
  expect(listed.out).toMatch(/company +Until Friday\n.* person +(read +)?Is it free\?$/)
  expect(await terminal.run('messages', 'read', id, question)).toMatchObject({ code: 0, out: '0 unread' })
  expect((await terminal.run('messages', 'broadcast', 'We move', '--json')).out).toMatch(/"recipients":\d+/)
  const json = await terminal.run('messages', 'list', id, '--decrypt', '--json')
  const texts = json.out.split('\n').map((line) => JSON.parse(line).text)
  expect(texts).toEqual(['We move', 'Until Friday', 'Is it free?'])
  expect(await terminal.run('messages', 'read', id, id)).toMatchObject({ code: 1 })
})

test('a refusal prints a sentence, a key and a hint', async () => {
  const unknown = await terminal.run('connections', 'get', '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182')
  expect(unknown).toMatchObject({ code: 1, out: '' })
  expect(unknown.logged).toMatch(/^sealpost: .+ \(company_data\.connection_not_found, request [\w-]+\)$/)
  writeFileSync(inFolder('wrong'), 'not the passphrase')
  const wrong = await terminal.run('services', 'pem', serviceId, '--passphrase-file', 'wrong', '--out', 'x.pem')
  expect(wrong).toMatchObject({ code: 1, logged: expect.stringContaining('The passphrase does not open this key') })
  const secret = terminal.environment['SEALPOST_ACCOUNT_CLIENT_SECRET'] ?? ''
  terminal.environment['SEALPOST_ACCOUNT_CLIENT_SECRET'] = 'wrong-secret'
  const refused = await terminal.run('services', 'list')
  expect(refused).toMatchObject({ code: 1, logged: expect.stringContaining('check the client id and its secret') })
  expect(refused.logged).not.toContain('wrong-secret')
  terminal.environment['SEALPOST_ACCOUNT_CLIENT_SECRET'] = secret
  const narrow = openAccountTerminal(world, await company.accountClient(['oauth_apps']))
  const lacking = await narrow.run('services', 'list')
  expect(lacking).toMatchObject({
    code: 1,
    logged: expect.stringContaining('this client lacks the capability service_management'),
  })
})

test('after hours of sleep, listen logs in again, reports the gap and goes on', async () => {
  const receiver = await openReceiver()
  world.onEnd(() => receiver.close())
  const ben = await world.person({ displayName: 'Ben Ode' })
  const key = await AccountKey.fromPkcs8(ben.keys.privateKey.reveal())
  const pins = memoryPins()
  const app = new CustomerClient({ accessToken: () => ben.logIn(), key, pins })
  const running = terminal.start('listen', '--to', receiver.url, '--service', serviceId)
  const until = (what: string, holds: () => boolean) => waitUntil(what, 30_000, holds)
  await until('it listens', () => running.logged.includes('ready'))

  const { promise: wakened, resolve: wake } = Promise.withResolvers<number>()
  receiver.answer(wakened)
  const made = await app.connect(code, { name: { value: 'Ben' } })
  await until('one is on its way', () => receiver.taken.length === 1)
  world.clock.advance(2 * 3_600_000)
  running.advance(2 * 3_600_000)
  const again = new CustomerClient({ accessToken: () => ben.logIn(), key, pins })
  await again.connections.disconnect(made.id)
  wake(200)
  receiver.answer(200)
  await until('the gap is logged', () => running.logged.some((line) => line.includes('NOT shown')))
  await again.connect(code, { name: { value: 'Ben' } })
  await until('it goes on', () => receiver.taken.length === 2)
  expect(await running.interrupt()).toBe(0)
  expect(receiver.taken.map(({ body }) => JSON.parse(body).event)).toEqual(['connection_created', 'connection_created'])
  expect(running.logged.filter((line) => line.startsWith('signing secret of this machine'))).toHaveLength(1)
})
