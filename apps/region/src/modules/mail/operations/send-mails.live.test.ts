import { type Jobs, jobsMigrations, openJobs } from '@sealpost/jobs'
import { parseKeyring, Secret } from '@sealpost/kernel'
import { openMailer } from '@sealpost/mail'
import { joinMigrations } from '@sealpost/postgres'
import { recordingTelemetry } from '@sealpost/telemetry'
import { type FixedClock, fixedClock, fixedIds } from '@sealpost/testkit/fixed'
import { startMailSink } from '@sealpost/testkit/mail-sink'
import { openTables } from '@sealpost/testkit/tables'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { handleMails, mailMigrations, type MailContext, queueMail, rewrapMails } from '../index.ts'
import { tidyMails } from './send-mails.ts'

const FIRST = `k1:${'a'.repeat(32)}`
const SECOND = `k2:${'b'.repeat(32)}`

const migrations = joinMigrations(jobsMigrations, mailMigrations)
const { url: databaseUrl, database, run } = await openTables('mail', migrations, { poolSize: 6 })
const sink = await startMailSink()
let clock: FixedClock
let mail: MailContext
let telemetry: ReturnType<typeof recordingTelemetry>
const workers: Jobs[] = []

afterAll(() => sink.close())
beforeEach(async () => {
  clock = fixedClock()
  telemetry = recordingTelemetry()
  mail = { settings: { DATA_KEY: parseKeyring(FIRST) }, clock, ids: newIds(), jobs: openWorker() }
  await run('delete from mail.outbox')
  await run('delete from jobs.job')
})
afterEach(async () => {
  sink.answerWith(null)
  for (const worker of workers.splice(0)) await worker.close()
})

const newIds = () => fixedIds(clock, Math.ceil(Math.random() * 1e9))

function openWorker(dataKey = parseKeyring(FIRST)): Jobs {
  const jobs = openJobs({ database, clock, ids: newIds(), telemetry })
  const mailer = openMailer({ url: new Secret(sink.url), from: { name: '', address: 'no-reply@sealpost.example' } })
  handleMails({ database, clock, log: telemetry.log, settings: { DATA_KEY: dataKey }, mailer, sms: null }, jobs)
  workers.push(jobs)
  return jobs
}

async function startWorker(dataKey = mail.settings.DATA_KEY): Promise<Jobs> {
  const worker = openWorker(dataKey)
  await worker.start({ databaseUrl })
  return worker
}

function queueCode(to: string, code: string): Promise<void> {
  const register = { to, template: 'register_code', values: { code, minutes: 10 }, language: 'de-CH' } as const
  return database.transaction((tx) => queueMail(mail, tx, register))
}

async function waitingRows(): Promise<number> {
  return (await run('select 1 from mail.outbox')).length
}

test('a queued mail is sent at once and its row is gone', async () => {
  await startWorker()
  await queueCode('at-once@example.org', '314159')
  await expect(sink.waitForCode('at-once@example.org')).resolves.toBe('314159')
  await expect.poll(waitingRows).toBe(0)
})

test('mails that were queued before the worker started are sent when it starts', async () => {
  await queueCode('before@example.org', '271828')
  await startWorker()
  await expect(sink.waitForCode('before@example.org')).resolves.toBe('271828')
})

test('a mail of a transaction that is rolled back is never sent', async () => {
  await startWorker()
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
  const [row] = await run<{ all: string }>(`select encode(sealed, 'escape') as all from mail.outbox`)
  expect(row?.all).not.toMatch(/resting|999999|confirmation/)
})

test('many mails and two workers: each mail arrives once', async () => {
  const addresses = Array.from({ length: 40 }, (_, index) => `many-${index}@example.org`)
  for (const to of addresses) await queueCode(to, '123456')
  await Promise.all([startWorker(), startWorker()])
  await expect.poll(waitingRows).toBe(0)
  const arrived = sink.taken.map(({ to }) => to).filter((to) => to.startsWith('many-'))
  expect(arrived.toSorted()).toEqual(addresses.toSorted())
})

test('a permanent refusal deletes the mail, and no log line names its address or text', async () => {
  sink.answerWith(550)
  await queueCode('refused@example.org', '424242')
  await startWorker()
  await expect.poll(waitingRows).toBe(0)
  const lines = JSON.stringify(telemetry.lines())
  expect(lines).toContain('the server refused a mail permanently; it is deleted')
  expect(lines).not.toMatch(/refused@|424242/)
})

test('a temporary failure is retried with growing delays, and given up after a day', async () => {
  sink.answerWith(451)
  await queueCode('later@example.org', '161803')
  const worker = openWorker()
  await worker.runDue()
  expect(await waitingRows()).toBe(1)
  sink.answerWith(null)
  await worker.runDue()
  expect(sink.taken.some(({ to }) => to === 'later@example.org')).toBe(false)
  clock.advance(5000)
  await worker.runDue()
  await expect(sink.waitForCode('later@example.org')).resolves.toBe('161803')

  sink.answerWith(451)
  await queueCode('too-late@example.org', '161803')
  clock.advance(25 * 3_600_000)
  await worker.runDue()
  expect(await waitingRows()).toBe(0)
  expect(await worker.health()).toMatchObject({ queues: [], dead: [] })
})

test('the job of a mail that cannot be sent names codes only', async () => {
  sink.answerWith(451)
  await queueCode('quiet@example.org', '161803')
  await openWorker().runDue()
  const [row] = await run<{ all: string }>(`select payload::text || error as all from jobs.job`)
  expect(row?.all).toContain('EENVELOPE 451 RCPT TO')
  expect(row?.all + JSON.stringify(telemetry.lines())).not.toMatch(/quiet@|161803/)
})

test('the mail of a worker that died is sent by another once the lease has ended', async () => {
  await queueCode('left@example.org', '565656')
  await run(
    `update jobs.job set state = 'running', lease = 1, lease_until = clock_timestamp() - interval '1 second', attempts = 1`,
  )
  await openWorker().runDue()
  await expect(sink.waitForCode('left@example.org')).resolves.toBe('565656')
})

test('mails under the second key are sent; after a rewrap they are sent without it', async () => {
  await queueCode('rotated@example.org', '777777')
  await queueCode('rewrapped@example.org', '888888')
  const both = parseKeyring(`${SECOND},${FIRST}`)
  await expect(rewrapMails({ database, settings: { DATA_KEY: both } })).resolves.toBe(2)
  await expect(rewrapMails({ database, settings: { DATA_KEY: both } })).resolves.toBe(0)
  await openWorker(parseKeyring(SECOND)).runDue()
  await expect(sink.waitForCode('rewrapped@example.org')).resolves.toBe('888888')
})

test('a mail whose key is missing waits for it', async () => {
  await queueCode('keyless@example.org', '787878')
  await openWorker(parseKeyring(SECOND)).runDue()
  expect(await waitingRows()).toBe(1)
  clock.advance(60_000)
  await openWorker(parseKeyring(`${SECOND},${FIRST}`)).runDue()
  await expect(sink.waitForCode('keyless@example.org')).resolves.toBe('787878')
})

test('a mail whose job was discarded is deleted after two days', async () => {
  await queueCode('discarded@example.org', '343434')
  await run('delete from jobs.job')
  clock.advance(47 * 3_600_000)
  expect(await tidyMails({ database, clock }, 10)).toBe(0)
  clock.advance(2 * 3_600_000)
  expect(await tidyMails({ database, clock }, 10)).toBe(1)
  expect(await waitingRows()).toBe(0)
})
