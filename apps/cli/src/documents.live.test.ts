import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { AccountKey, CustomerClient, memoryPins } from '@sealpost/sdk'
import { openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openTerminal } from './testing.ts'

const SOON = { timeout: scaled(20_000) }
const TERMS = { title: 'Terms', sections: [{ text: 'Delivery on Mondays' }] }

const world = await openWorld()
const service = await world.service([])
const ana = await world.person({ displayName: 'Ana Gil' })
const key = await AccountKey.fromPkcs8(ana.keys.privateKey.reveal())
const app = new CustomerClient({ accessToken: () => Promise.resolve(ana), key, pins: memoryPins() })
const connectionId = await ana.connected(service)
const terminal = openTerminal({
  SEALPOST_FRONT_DOOR: world.frontDoor.url,
  SEALPOST_CLIENT_ID: service.client.clientId,
  SEALPOST_CLIENT_SECRET: service.client.clientSecret,
})
world.onEnd(() => Promise.resolve(terminal[Symbol.dispose]()))

const inFolder = (name: string): string => join(terminal.folder, name)
writeFileSync(inFolder('lease.pdf'), plainPdf())
writeFileSync(inFolder('terms.json'), JSON.stringify(TERMS))
writeFileSync(inFolder('metadata.json'), '{"can_be_cancelled_in_app":true,"plan_name":"Gold"}')
const documents = (...words: readonly string[]) => terminal.run('documents', ...words)
const TO = ['--connection', connectionId]

async function opened(id: string) {
  const read = () => app.documents.get(connectionId, id).catch(() => null)
  await expect.poll(read, SOON).not.toBeNull()
  return app.documents.open(connectionId, id)
}

test('a JSON contract is sent, accepted, shown, ended on a date and deleted', async () => {
  const about = ['--name', 'Subscription', '--kind', 'subscription', '--accept', '--metadata', 'metadata.json']
  const { code, out: id, logged } = await documents('send', 'terms.json', ...TO, ...about)
  expect({ code, logged }).toEqual({ code: 0, logged: '' })
  const shown = await opened(id)
  expect(shown).toMatchObject({ kind: 'json', value: TERMS, document: { metadata: { plan_name: 'Gold' } } })
  await app.documents.accept(shown)

  const one = await documents('show', id)
  expect(one.out).toMatch(/^ {2}status +active$/m)
  expect(one.out).toMatch(/^ {2}accepted +unverified name Ana Gil, 20/m)
  const listed = await documents('list', ...TO, '--kind', 'subscription', '--status', 'active')
  expect(listed.out.split('\n')).toEqual([
    expect.stringMatching(/^ID +STATUS +KIND +NAME$/),
    `${id}  active  subscription  Subscription`,
  ])
  expect(await documents('list', ...TO, '--kind', 'agreement')).toMatchObject({ out: '', logged: 'none' })

  const day = world.time(40 * 86_400_000).slice(0, 10)
  expect((await documents('status', id, 'active_but_ending', '--on', day)).out).toContain(`ends on     ${day}`)
  expect(await documents('delete', id)).toMatchObject({
    code: 1,
    logged: expect.stringContaining('contract_immutable'),
  })
  expect(JSON.parse((await documents('status', id, 'ended', '--json')).out)).toMatchObject({ id, status: 'ended' })
  expect(await documents('delete', id)).toMatchObject({ code: 0, out: `deleted ${id}` })
  expect(await documents('show', id)).toMatchObject({ code: 1, logged: expect.stringContaining('documents.not_found') })
})

test('a PDF contract is sealed to the customer, once for the same key', async () => {
  const words = ['send', 'lease.pdf', '--code', ana.shareCode, '--sign', '--idempotency-key', 'lease-1']
  const first = await documents(...words)
  expect(first).toMatchObject({ code: 0, logged: '' })
  expect((await documents(...words)).out).toBe(first.out)
  const shown = await opened(first.out)
  expect(shown).toMatchObject({
    kind: 'file',
    file: { originalName: 'lease.pdf' },
    document: { name: 'lease.pdf', status: 'ready_to_sign' },
  })
  expect(await documents('file', first.out, '--out', 'x.pdf')).toMatchObject({
    code: 1,
    logged: expect.stringContaining('documents.recipient_encrypted'),
  })
})

test('a PDF that cannot be sealed is not sent', async () => {
  writeFileSync(inFolder('broken.pdf'), plainPdf().subarray(0, 200))
  expect(await documents('send', 'broken.pdf', ...TO, '--sign')).toMatchObject({
    code: 1,
    out: '',
    logged: expect.stringContaining('The file is damaged'),
  })
  expect((await documents('list', ...TO)).out).not.toContain('broken')
})

test('a document for all is sent and read back', async () => {
  const { out: id } = await documents('send', 'lease.pdf', '--all', '--name', 'House rules')
  expect((await documents('show', id)).out).toMatch(/^ {2}connection +all customers$/m)
  expect(await documents('file', id, '--out', 'rules.pdf')).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(inFolder('rules.pdf')).equals(plainPdf())).toBe(true)
})

test.each([
  [['send', 'lease.pdf'], 'name one recipient'],
  [['send', 'lease.pdf', '--all', '--person', connectionId], 'name one recipient'],
  [['send', 'lease.pdf', '--all', '--sign'], '--all sends a plain document'],
  [['send', 'lease.pdf', ...TO, '--kind', 'lease'], '--kind is one of document, agreement, subscription, not lease'],
  [['status', connectionId, 'ready_to_sign'], 'STATUS is one of active, active_but_ending, ended'],
  [['status', connectionId, 'active_but_ending'], 'needs --on DATE'],
  [['file', connectionId], '--out is required'],
])('wrong usage is named: documents %s', async (words, message) => {
  expect(await documents(...words)).toMatchObject({ code: 2, out: '', logged: expect.stringContaining(message) })
})
