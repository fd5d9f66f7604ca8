import { domainToASCII } from 'node:url'
import { announceSlowCall, type Secret } from '@sealpost/kernel'
import { createTransport } from 'nodemailer'
import type { Sender } from './sender.ts'
import { parseSmtpUrl } from './smtp-url.ts'

export interface Mail {
  /** The same for each attempt, so that receivers can detect a repeated mail. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * `taken`: the server answered 250 and is now responsible for the mail. `refused`: permanent. `failed`: try again.
 * `reason` consists of codes only: a server's sentence often repeats the address.
 */
export type SendOutcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

export interface Mailer {
  /** Never throws for a failure of the server or the network. */
  send(mail: Mail): Promise<SendOutcome>
  close(): void
}

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
/** The library would parse anything else as a list, a name or a comment, and mail an unintended recipient. */
const ONE_ADDRESS = /^[^\s<>()[\],;:"\\@]+@[^\s<>()[\],;:"\\@]+$/u
/** Codes about this one mail; a refused login or sender is for the operator to fix, and mails wait for it. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA'])

export function openMailer({ url, from }: { readonly url: Secret<string>; readonly from: Sender }): Mailer {
  const { host, port, secure, mustUpgrade, login } = parseSmtpUrl(url.reveal())
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: mustUpgrade,
    ...(login === null ? {} : { auth: login }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ id, to: given, subject, text }) {
      announceSlowCall('an e-mail')
      const to = readAddress(given)
      if (to === null) return { kind: 'refused', reason: 'not one plain address' }
      try {
        await transport.sendMail({
          messageId: `<${id}@${from.address.slice(from.address.indexOf('@') + 1)}>`,
          from: { ...from },
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          subject,
          text,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return { kind: 'taken' }
      } catch (error) {
        return outcomeOf(error)
      }
    },
    close: () => transport.close(),
  }
}

/** With its domain normalised as in the directory, so that a mail always goes to the account's own address. */
function readAddress(text: string): string | null {
  if (!ONE_ADDRESS.test(text)) return null
  const start = text.lastIndexOf('@') + 1
  const domain = domainToASCII(text.slice(start)).replace(/\.$/, '')
  return domain === '' ? null : `${text.slice(0, start)}${domain}`
}

function outcomeOf(error: unknown): SendOutcome {
  const { code, responseCode, command } = membersOf(error)
  const reason = [code, responseCode, command].filter((part) => part !== undefined).join(' ')
  const isFinal = responseCode !== undefined && responseCode >= 500 && ABOUT_THE_MAIL.has(command ?? '')
  return { kind: isFinal ? 'refused' : 'failed', reason: reason === '' ? 'no code' : reason }
}

function membersOf(error: unknown): { code?: string; responseCode?: number; command?: string } {
  if (!(error instanceof Error)) return {}
  return {
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...('responseCode' in error && typeof error.responseCode === 'number' ? { responseCode: error.responseCode } : {}),
    ...('command' in error && typeof error.command === 'string' ? { command: error.command } : {}),
  }
}
