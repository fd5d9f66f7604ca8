import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { reservePort } from './engines/ports.ts'
import { scaled } from './slowness.ts'

/** A mail as a reader would see it. */
export interface SinkMail {
  readonly id: string
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
}

/** A real SMTP server on loopback that keeps what it takes. */
export interface MailSink {
  readonly url: string
  /** The text of the newest mail to this address that no earlier call has answered; waits until there is one. */
  waitFor(address: string, subjectPart?: string): Promise<string>
  /** The six digits in that mail. */
  waitForCode(address: string, subjectPart?: string): Promise<string>
  /** Everything taken so far, the oldest first. */
  readonly taken: readonly SinkMail[]
  /** From now on recipients are answered with this code, e.g. 550 or 451; null takes everything again. */
  answerWith(code: number | null): void
  close(): Promise<void>
}

interface Waiter {
  readonly wants: (mail: SinkMail) => boolean
  readonly take: (mail: SinkMail) => void
}

const DEADLINE_MS = 10_000

export async function startMailSink({ onMail }: { onMail?: (mail: SinkMail) => void } = {}): Promise<MailSink> {
  const taken: SinkMail[] = []
  const unseen = new Set<SinkMail>()
  const waiting = new Set<Waiter>()
  let refusal: number | null = null

  function deliver(mail: SinkMail): void {
    taken.push(mail)
    onMail?.(mail)
    const waiter = [...waiting].find(({ wants }) => wants(mail))
    if (waiter === undefined) unseen.add(mail)
    else waiter.take(mail)
  }
  const { port, release } = await reservePort()
  const server = startServer(deliver, () => refusal)
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))

  async function waitFor(address: string, subjectPart = ''): Promise<string> {
    const wants = ({ to, subject }: SinkMail) => isSame(to, address) && subject.includes(subjectPart)
    const matching = [...unseen].filter(wants)
    for (const mail of matching) unseen.delete(mail)
    const newest = matching.at(-1)
    if (newest !== undefined) return newest.text
    return (await nextMail(waiting, wants, `a mail to ${address} ${subjectPart}`)).text
  }
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    waitFor,
    async waitForCode(address, subjectPart) {
      const text = await waitFor(address, subjectPart)
      const code = /\b\d{6}\b/.exec(text)?.[0]
      if (code === undefined) throw new Error(`this mail holds no code:\n${text}`)
      return code
    },
    answerWith(code) {
      refusal = code
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      release()
    },
  }
}

function nextMail(waiting: Set<Waiter>, wants: Waiter['wants'], what: string): Promise<SinkMail> {
  const { promise, resolve, reject } = Promise.withResolvers<SinkMail>()
  const limitMs = scaled(DEADLINE_MS)
  const timer = setTimeout(() => reject(new Error(`waited ${limitMs} ms in vain for ${what}`)), limitMs)
  const waiter: Waiter = { wants, take: resolve }
  waiting.add(waiter)
  return promise.finally(() => {
    clearTimeout(timer)
    waiting.delete(waiter)
  })
}

function startServer(deliver: (mail: SinkMail) => void, refusal: () => number | null): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onRcptTo(address, _session, done) {
      const code = refusal()
      done(code === null ? null : Object.assign(new Error(`not for ${address.address}`), { responseCode: code }))
    },
    onData(stream, session, done) {
      const [recipient] = session.envelope.rcptTo
      readMail(stream, recipient?.address ?? '').then(
        (mail) => {
          deliver(mail)
          done()
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
  // A client that hangs up half-way is its own affair; without a listener it would end the process.
  server.on('error', () => {})
  return server
}

async function readMail(stream: AsyncIterable<Uint8Array>, to: string): Promise<SinkMail> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const { messageId, from, subject, text } = await PostalMime.parse(Buffer.concat(chunks))
  return { id: messageId ?? '', to, from: from?.address ?? '', subject: subject ?? '', text: text ?? '' }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
