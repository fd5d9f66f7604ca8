/** The server that mails are handed to. */
export interface SmtpPlace {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS, which `mustUpgrade` requires. */
  readonly secure: boolean
  readonly mustUpgrade: boolean
  readonly login: { readonly user: string; readonly pass: string } | null
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export function parseSmtpUrl(text: string): SmtpPlace {
  const url = new URL(text)
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') throw new Error('it must begin with smtp:// or smtps://')
  if (url.hostname === '') throw new Error('it has no host')
  const tls = url.searchParams.get('tls')
  if (tls !== null && tls !== 'off') throw new Error('tls can only be off')
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    mustUpgrade: !secure && tls === null && !LOOPBACK.test(url.hostname),
    login:
      url.username === '' ? null : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
  }
}
