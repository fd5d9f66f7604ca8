import type { Egress } from '@sealpost/egress'
import { customSetting, Secret } from '@sealpost/kernel'

export interface Sms {
  /** The same for each attempt, so that the gateway can detect a repeated message. */
  readonly id: string
  /** In the international form: `+31612345678`. */
  readonly to: string
  readonly text: string
}

/** As for mails: `refused` is permanent, `failed` is tried again. `reason` consists of codes only. */
export type SmsOutcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** Sends text messages. */
export interface SmsGateway {
  /** Never throws for a failure of the gateway or the network. */
  send(sms: Sms): Promise<SmsOutcome>
}

export const smsSettings = {
  SMS_URL: customSetting<string | null>(
    {
      about:
        'The HTTP gateway for text messages: gets `POST {id, to, text}` as JSON and answers 2xx. Empty: `platform_sms` is not ' +
        'offered.',
      fallback: '',
    },
    'an http or https address, or nothing',
    parseUrl,
  ),
  SMS_TOKEN: customSetting(
    { about: 'The bearer token for `SMS_URL`.', fallback: '' },
    'a text',
    (text) => new Secret(text),
    true,
  ),
}

const CONNECT_MS = 5_000
const TOTAL_MS = 15_000
const READ_BYTES = 16_384
/** About the caller or the moment, not about this one message. */
const TEMPORARY = new Set([401, 403, 404, 408, 425, 429])

export interface HttpGateway {
  readonly egress: Pick<Egress, 'sendForStatus'>
  readonly url: string
  readonly token: Secret<string>
}

/** A gateway that takes messages over HTTP. */
export function httpSmsGateway({ egress, url, token }: HttpGateway): SmsGateway {
  const secret = token.reveal()
  const authorization: Record<string, string> = secret === '' ? {} : { authorization: `Bearer ${secret}` }
  return {
    async send(sms) {
      const sent = await egress.sendForStatus({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify(sms),
        connectTimeoutMs: CONNECT_MS,
        totalTimeoutMs: TOTAL_MS,
        maxResponseBytes: READ_BYTES,
        isRepeatable: true,
      })
      return sent.ok ? outcomeOf(sent.value.status) : { kind: 'failed', reason: sent.refusal.kind }
    },
  }
}

function outcomeOf(status: number): SmsOutcome {
  if (status >= 200 && status < 300) return { kind: 'taken' }
  const isFinal = status >= 400 && status < 500 && !TEMPORARY.has(status)
  return { kind: isFinal ? 'refused' : 'failed', reason: `answered ${status}` }
}

function parseUrl(text: string): string | null {
  if (text === '') return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('it is not an http or https address')
  return url.href
}
