import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCryptoPlatform, exportPrivateKeyPem, generateKeyPair } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { isQueuedEvent, serviceEvents } from '@sealpost/protocol'
import { ServiceKey } from '@sealpost/sdk'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseTarget } from './local/target.ts'
import { sampleKinds } from './samples.ts'
import { openReceiver, openTerminal, type TestReceiver } from './testing.ts'

const SECRET = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA='

let receiver: TestReceiver
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

test('every event has a valid sample, which is the same each time except for its timestamp', async () => {
  using terminal = openTerminal()
  expect(sampleKinds).toEqual(Object.keys(serviceEvents))
  const ids = new Set<string>()
  for (const kind of sampleKinds) {
    const { code, out } = await terminal.run('trigger', kind)
    expect(code).toBe(0)
    const event: Readonly<Record<string, unknown>> = JSON.parse(out)
    expect(event['event']).toBe(kind)
    expect(kind === 'test' || isQueuedEvent(event)).toBe(true)
    ids.add(String(event['id']))
    const again: Readonly<Record<string, unknown>> = JSON.parse((await terminal.run('trigger', kind)).out)
    expect(again['id']).toBe(event['id'])
  }
  expect(ids.size).toBe(sampleKinds.length)
})

test('an event is posted with both signatures over exactly the sent bytes', async () => {
  using terminal = openTerminal()
  const posted = await terminal.run('trigger', 'field_updated', '--to', receiver.url, '--secret', SECRET)
  expect(posted).toMatchObject({ code: 0, logged: '' })
  expect(posted.out).toMatch(/^field_updated {2}0196a8c4-\S+ {2}200 {2}\d+ ms$/)
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.taken
  expect(headers['x-platform-signature']).toBe(createHmac('sha256', SECRET).update(body).digest('hex'))
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(content).digest('base64')}`)
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Platform-Webhooks/1',
    'x-platform-event': 'field_updated',
    'webhook-id': JSON.parse(body).id,
  })
  await terminal.run('trigger', 'test', '--to', receiver.url, '--secret', SECRET, '--header-vendor', 'Acme')
  expect(receiver.taken[1]?.headers).toMatchObject({ 'x-acme-event': 'test', 'x-acme-signature': expect.any(String) })
})

test('without a secret a new one is made and printed; one of the settings is used and not printed', async () => {
  using terminal = openTerminal()
  const made = await terminal.run('trigger', 'test', '--to', receiver.url)
  const secret = /whsec_\S+/.exec(made.logged)?.[0] ?? ''
  const [first] = receiver.taken
  expect(first?.headers['x-platform-signature']).toBe(
    createHmac('sha256', secret)
      .update(first?.body ?? '')
      .digest('hex'),
  )
  writeFileSync(join(terminal.folder, 'hook'), `${SECRET}\n`)
  terminal.environment['SEALPOST_WEBHOOK_SECRET_FILE'] = 'hook'
  const set = await terminal.run('trigger', 'test', '--to', receiver.url, '--json')
  expect(set).toMatchObject({ code: 0, logged: '' })
  expect(JSON.parse(set.out)).toMatchObject({ event: 'test', http_status: 200 })
  const [, second] = receiver.taken
  expect(second?.headers['x-platform-signature']).toBe(
    createHmac('sha256', SECRET)
      .update(second?.body ?? '')
      .digest('hex'),
  )
})

test('members can be replaced as far as the event allows it', async () => {
  using terminal = openTerminal()
  const trigger = (kind: string, ...options: readonly string[]) => terminal.run('trigger', kind, ...options)
  const iban = await trigger('field_deleted', '--data', '{"slug":"iban"}', '--fresh')
  expect(JSON.parse(iban.out)).toMatchObject({ event: 'field_deleted', slug: 'iban' })
  expect(JSON.parse(iban.out).id).not.toBe(JSON.parse((await trigger('field_deleted')).out).id)
  expect(await trigger('field_deleted', '--data', '{"slug":7}')).toMatchObject({ code: 2 })
  expect(await trigger('field_deleted', '--data', '[]')).toMatchObject({ code: 2, out: '' })
  expect(await trigger('field_deleted', '--data', '{')).toMatchObject({ code: 2, out: '' })
  const other = await trigger('field_deleted', '--data', '{"event":"connection_created"}')
  expect(JSON.parse(other.out).event).toBe('field_deleted')
})

test('a value is sealed to the key of the key file, so that a receiver can open it', async () => {
  using terminal = openTerminal({ SEALPOST_KEY_FILE: 'key.pem', SEALPOST_PASSPHRASE: 'open it' })
  const platform = createCryptoPlatform(globalThis)
  const { privateKey } = await generateKeyPair(platform)
  const exported = await exportPrivateKeyPem(platform, privateKey, new Secret('open it'))
  const pem = exported.ok ? exported.value : ''
  writeFileSync(join(terminal.folder, 'key.pem'), pem)
  const { out, code } = await terminal.run('trigger', 'message_received', '--value', 'Is it still free?')
  expect(code).toBe(0)
  const key = await ServiceKey.fromPem(pem, 'open it')
  expect(await key.open(JSON.parse(out).body)).toBe('Is it still free?')
  const none = await terminal.run('trigger', 'flow_completed', '--value', 'x')
  expect(none).toMatchObject({ code: 2, logged: expect.stringContaining('no sealed value') })
  terminal.environment['SEALPOST_PASSPHRASE'] = 'wrong'
  expect(await terminal.run('trigger', 'message_received', '--value', 'x')).toMatchObject({ code: 1 })
})

test('an unknown event prints the list of all events', async () => {
  using terminal = openTerminal()
  const { code, logged } = await terminal.run('trigger', 'field_changed', '--to', receiver.url)
  expect(code).toBe(2)
  for (const kind of Object.keys(serviceEvents)) expect(logged).toContain(kind)
  expect(receiver.taken).toEqual([])
})

test('a receiver that does not answer 200 is a failure', async () => {
  using terminal = openTerminal()
  receiver.answer(202)
  const refused = await terminal.run('trigger', 'test', '--to', receiver.url, '--secret', SECRET)
  expect(refused).toMatchObject({
    code: 1,
    out: expect.stringContaining('202'),
    logged: expect.stringContaining('200'),
  })
  receiver.answer('hang up')
  const cut = await terminal.run('trigger', 'test', '--to', receiver.url, '--secret', SECRET)
  expect(cut).toMatchObject({ code: 1, logged: expect.stringContaining('ECONNRESET') })
  await receiver.close()
  const down = await terminal.run('trigger', 'test', '--to', receiver.url, '--secret', SECRET)
  expect(down).toMatchObject({ code: 1, logged: expect.stringContaining('ECONNREFUSED') })
})

test.each([
  'https://example.com/hook',
  'http://10.0.0.1/hook',
  'http://127.0.0.1.example.com/',
  'http://localhost.example.com/',
  'http://[::ffff:10.0.0.1]/',
  'http://0.0.0.0:3000/',
  'http://user:word@127.0.0.1/',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'example.com:3000',
  'localhost.example.com:3000',
  '',
])('nothing is sent to %s: events go to this machine only', async (address) => {
  using terminal = openTerminal()
  expect(await terminal.run('trigger', 'test', '--to', address)).toMatchObject({ code: 2, out: '' })
  expect(await terminal.run('listen', '--to', address)).toMatchObject({ code: 2, out: '' })
})

test.each([
  'http://localhost:3000/a',
  'http://127.0.0.1',
  'https://[::1]:8443/',
  '3000',
  'localhost:3000',
  '127.0.0.1:3000/hook',
  'http://127.1/',
  'http://2130706433/',
])('%s is this machine', (address) => {
  expect(() => parseTarget(address)).not.toThrow()
})
