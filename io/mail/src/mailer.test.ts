import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { Secret } from '@sealpost/kernel'
import { type MailSink, startMailSink } from '@sealpost/testkit/mail-sink'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Mailer, openMailer } from './index.ts'
import { parseSender } from './sender.ts'
import { parseSmtpUrl } from './smtp-url.ts'

const from = parseSender('Sealpost <no-reply@sealpost.example>')
let sink: MailSink
beforeAll(async () => {
  sink = await startMailSink()
})
afterAll(() => sink.close())

function mailerTo(url: string): Mailer {
  const mailer = openMailer({ url: new Secret(url), from })
  onTestFinished(() => mailer.close())
  return mailer
}

const mail = { id: 'row-1', to: 'ada@example.org', subject: 'Grüße', text: 'Die Zahl ist 123456.\n\n… und „mehr“.\n' }

test('a mail arrives unchanged, with its own id', async () => {
  await expect(mailerTo(sink.url).send(mail)).resolves.toEqual({ kind: 'taken' })
  await expect(sink.waitFor('ada@example.org', 'Grüße')).resolves.toContain('… und „mehr“.')
  expect(sink.taken.at(-1)).toMatchObject({ id: '<row-1@sealpost.example>', from: 'no-reply@sealpost.example' })
})

test.each(['ada@example。org', 'ada@ｅxample.org', 'ada@EXAMPLE.org.'])(
  'a mail to %j goes to the normalised domain',
  async (to) => {
    await expect(mailerTo(sink.url).send({ ...mail, to })).resolves.toEqual({ kind: 'taken' })
    expect(sink.taken.at(-1)?.to).toBe('ada@example.org')
  },
)

test.each([
  'a@example.org, b@example.org',
  'a@example.org\r\nBcc: b@example.org',
  'A <b@example.org>',
  'a@b@c',
  'a',
  '',
])('a text that is not one plain address gets no mail: %j', async (to) => {
  const before = sink.taken.length
  await expect(mailerTo(sink.url).send({ ...mail, to })).resolves.toMatchObject({ kind: 'refused' })
  expect(sink.taken).toHaveLength(before)
})

test.each([
  [550, 'refused'],
  [451, 'failed'],
])('a recipient answered with %i is %s, and the reason names no address', async (code, kind) => {
  sink.answerWith(code)
  const outcome = await mailerTo(sink.url).send(mail)
  sink.answerWith(null)
  expect(outcome).toEqual({ kind, reason: `EENVELOPE ${code} RCPT TO` })
})

test('a server that is unreachable or disconnects is a temporary failure', async () => {
  await expect(mailerTo('smtp://127.0.0.1:9').send(mail)).resolves.toMatchObject({ kind: 'failed' })
  const rude = await listening((socket) => socket.destroy())
  await expect(mailerTo(rude).send(mail)).resolves.toMatchObject({ kind: 'failed' })
})

test('a remote server that offers no TLS gets nothing', () => {
  expect(parseSmtpUrl('smtp://mail.example.com')).toMatchObject({ port: 587, secure: false, mustUpgrade: true })
  expect(parseSmtpUrl('smtps://user:p%40ss@mail.example.com')).toEqual({
    host: 'mail.example.com',
    port: 465,
    secure: true,
    mustUpgrade: false,
    login: { user: 'user', pass: 'p@ss' },
  })
  expect(parseSmtpUrl('smtp://relay:25?tls=off')).toMatchObject({ port: 25, mustUpgrade: false })
  expect(parseSmtpUrl('smtp://[::1]:25')).toMatchObject({ host: '::1', mustUpgrade: false })
})

test.each(['http://mail.example.com', 'mail.example.com', 'smtp://', 'smtp://host?tls=maybe'])(
  '%s is refused',
  (url) => {
    expect(() => parseSmtpUrl(url)).toThrow()
  },
)

test('a sender is an address, or a name and an address', () => {
  expect(parseSender('no-reply@example.com')).toEqual({ name: '', address: 'no-reply@example.com' })
  expect(parseSender('"Post, Seal" <a@b.example>')).toEqual({ name: 'Post, Seal', address: 'a@b.example' })
  for (const text of ['no address', 'A <b>', 'a@b <c@d>\r\nx', 'a b@c']) expect(() => parseSender(text)).toThrow()
})

async function listening(onConnect: (socket: Socket) => void): Promise<string> {
  const server: Server = createServer(onConnect)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return `smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}
