import { parseKeyring, Secret } from '@sealpost/kernel'
import { openMailer } from '@sealpost/mail'
import { type Database, listen, openDatabase, runStatement } from '@sealpost/postgres'
import { recordingTelemetry } from '@sealpost/telemetry'
import { createTestDatabase, type TestDatabase } from '@sealpost/testkit/databases'
import { type FixedClock, fixedClock, fixedIds } from '@sealpost/testkit/fixed'
import { type MailSink, startMailSink } from '@sealpost/testkit/mail-sink'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { mailMigrations, type MailContext, type MailSender, queueMail, rewrapMails, startMailSender } from '../index.ts'

const FIRST = `k1:${'a'.repeat(32)}`
const SECOND = `k2:${'b'.repeat(32)}`

let created: TestDatabase
let database: Database
let sink: MailSink
let clock: FixedClock
let mail: MailContext
let telemetry: ReturnType<typeof recordingTelemetry>
const senders: MailSender[] = []

beforeAll(async () => {
  created = await createTestDatabase({ template: 'mail', migrations: mailMigrations })
  database = openDatabase({ url: created.url, poolSize: 3 })
  sink = await startMailSink()
})
afterAll(async () => {
  await sink.close()
  await database.close()
  await created.drop()
})
beforeEach(async () => {
  clock = fixedClock()
  telemetry = recordingTelemetry()
  mail = { settings: { DATA_KEY: parseKeyring(FIRST) }, clock, ids: fixedIds(clock, Math.ceil(Math.random() * 1e9)) }
  await database.transaction((tx) => runStatement(tx, 'delete from mail.outbox', []))
})
afterEach(async () => {
  sink.answerWith(null)
  for (const sender of senders.splice(0)) await sender.close()
})

async function startSender(dataKey = mail.settings.DATA_KEY, pollEveryMs = 3_600_000): Promise<MailSender> {
  const sender = await startMailSender({
    database,
    clock,
    log: telemetry.log,
    settings: { DATA_KEY: dataKey },
    isPaused: async () => false,
    mailer: openMailer({ url: new Secret(sink.url), from: { name: '', address: 'no-reply@sealpost.example' } }),
    onNotify: (channel, wake) =>
      listen({ url: created.url, channels: [channel], onNotification: wake, onReconnect: wake }),
    pollEveryMs,
  })
  senders.push(sender)
  return sender
}

function queueCode(to: string, code: string): Promise<void> {
  const register = { to, template: 'register_code', values: { code, minutes: 10 }, language: 'de-CH' } as const
  return database.transaction((tx) => queueMail(mail, tx, register))
}

async function waitingRows(): Promise<number> {
  const rows = await database.read((read) => runStatement(read, 'select 1 from mail.outbox', []))
  return rows.length
}

test('a queued mail is sent at once and its row is gone', async () => {
  await startSender()
  await queueCode('at-once@example.org', '314159')
  await expect(sink.waitForCode('at-once@example.org')).resolves.toBe('314159')
  await expect.poll(waitingRows).toBe(0)
})

test('mails that were queued before the worker started are sent when it starts', async () => {
  await queueCode('before@example.org', '271828')
  await startSender()
  await expect(sink.waitForCode('before@example.org')).resolves.toBe('271828')
})

test('a mail of a transaction that is rolled back is never sent', async () => {
  await startSender()
  const failing = database.transaction(async (tx) => {
    await queueMail(mail, tx, { to: 'never@example.org', template: 'register_taken', values: {}, language: 'en' })
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await queueCode('after@example.org', '111111')
  await sink.waitFor('after@example.org')
  expect(sink.taken.some(({ to }) => to === 'never@example.org')).toBe(false)
})

test('a row contains neither address nor code in clear', async () => {
  await queueCode('resting@example.org', '999999')
  const [row] = await database.read((read) =>
    runStatement<{ all: string }>(read, `select encode(sealed, 'escape') as all from mail.outbox`, []),
  )
  expect(row?.all).not.toMatch(/resting|999999|confirmation/)
})

test('many mails and two workers: each mail arrives once', async () => {
  const addresses = Array.from({ length: 40 }, (_, index) => `many-${index}@example.org`)
  for (const to of addresses) await queueCode(to, '123456')
  await Promise.all([startSender(), startSender()])
  await expect.poll(waitingRows, { timeout: 10_000 }).toBe(0)
  const arrived = sink.taken.map(({ to }) => to).filter((to) => to.startsWith('many-'))
  expect(arrived.toSorted()).toEqual(addresses.toSorted())
})

test('a permanent refusal deletes the mail, and no log line names its address or text', async () => {
  sink.answerWith(550)
  await queueCode('refused@example.org', '424242')
  await startSender()
  await expect.poll(waitingRows).toBe(0)
  const lines = JSON.stringify(telemetry.lines())
  expect(lines).toContain('the server refused a mail permanently; it is deleted')
  expect(lines).not.toMatch(/refused@|424242/)
})

test('a temporary failure is retried with growing delays, and given up after a day', async () => {
  sink.answerWith(451)
  await queueCode('later@example.org', '161803')
  const sender = await startSender()
  await sender.sendDue()
  expect(await waitingRows()).toBe(1)
  sink.answerWith(null)
  await sender.sendDue()
  expect(sink.taken.some(({ to }) => to === 'later@example.org')).toBe(false)
  clock.advance(5000)
  await sender.sendDue()
  await expect(sink.waitForCode('later@example.org')).resolves.toBe('161803')

  sink.answerWith(451)
  await queueCode('too-late@example.org', '161803')
  clock.advance(25 * 3_600_000)
  await sender.sendDue()
  await expect.poll(waitingRows).toBe(0)
})

test('the mail of a worker that died is sent by another once the lease has ended', async () => {
  await queueCode('left@example.org', '565656')
  await database.transaction((tx) =>
    runStatement(tx, `update mail.outbox set lease_until = clock_timestamp() - interval '1 second', attempts = 1`, []),
  )
  await startSender()
  await expect(sink.waitForCode('left@example.org')).resolves.toBe('565656')
})

test('mails under the second key are sent; after a rewrap they are sent without it', async () => {
  await queueCode('rotated@example.org', '777777')
  await queueCode('rewrapped@example.org', '888888')
  const both = parseKeyring(`${SECOND},${FIRST}`)
  await expect(rewrapMails({ database, settings: { DATA_KEY: both } })).resolves.toBe(2)
  await expect(rewrapMails({ database, settings: { DATA_KEY: both } })).resolves.toBe(0)
  await startSender(parseKeyring(SECOND))
  await expect(sink.waitForCode('rewrapped@example.org')).resolves.toBe('888888')
})

test('a mail whose key is missing waits for it', async () => {
  await queueCode('keyless@example.org', '787878')
  const keyless = await startSender(parseKeyring(SECOND))
  await keyless.sendDue()
  await keyless.close()
  expect(await waitingRows()).toBe(1)
  clock.advance(60_000)
  await startSender(parseKeyring(`${SECOND},${FIRST}`))
  await expect(sink.waitForCode('keyless@example.org')).resolves.toBe('787878')
})
