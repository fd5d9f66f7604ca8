import {
  type AccountSealingKey,
  createCryptoPlatform,
  importAccountSealingKey,
  sealAccountEnvelope,
} from '@sealpost/crypto'
import { writeXml } from '@sealpost/http'
import { accept, decline, type EventId, type Ids, type Instant, type Result, Secret } from '@sealpost/kernel'
import type { ServiceEvent } from '@sealpost/protocol'
import { type Endpoint, type EndpointAuth, UNREADABLE } from './endpoint.ts'
import { signDelivery, type SigningKey, signingKey } from './sign.ts'

type Headers = Readonly<Record<string, string>>

/** An endpoint with everything worked out that is the same for all its deliveries. */
export interface PreparedEndpoint {
  readonly url: string
  readonly format: 'json' | 'xml'
  readonly vendor: string
  /** Who sends, and what proves it; the signatures are made per delivery. */
  readonly fixedHeaders: Secret<Headers>
  readonly signing: Signing | null
  /** Not null: the body goes out in an envelope for this key. */
  readonly envelopeKey: AccountSealingKey | null
}

interface Signing {
  readonly newest: SigningKey
  readonly earlier: readonly { readonly key: SigningKey; readonly validUntil: Instant }[]
}

/** What one delivery tells. */
export interface Telling {
  readonly event: ServiceEvent
  /** The same on every attempt and every channel: the receiver's key to recognise a repeat. */
  readonly durableId: EventId | string
  /** A live delivery's body has an id of its own. */
  readonly isLive: boolean
  /** Of this attempt. */
  readonly at: Instant
}

export interface Message {
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array
}

const platform = createCryptoPlatform(globalThis)
const USER_AGENT = 'Platform-Webhooks/1'
const CONTENT_TYPES = { json: 'application/json; charset=utf-8', xml: 'application/xml; charset=utf-8' } as const
const ENVELOPE_TYPE = 'application/json'

/** Refused with the reason, in words for people, when nothing could be sent to it as it is. */
export async function prepareEndpoint(vendor: string, endpoint: Endpoint): Promise<Result<PreparedEndpoint, string>> {
  const { name, url, format, auth } = endpoint
  if (auth === null) return decline(UNREADABLE)
  const signing = auth.type === 'hmac' ? prepareSigning(auth) : null
  if (auth.type === 'hmac' && signing === null) return decline('its HMAC secret cannot sign anything')
  const envelopeKey = endpoint.isEncrypted ? await readEnvelopeKey(endpoint) : null
  if (endpoint.isEncrypted && envelopeKey === null) return decline('the company has no account key to encrypt to')
  const fixedHeaders = new Secret({
    'User-Agent': USER_AGENT,
    'Content-Type': endpoint.isEncrypted ? ENVELOPE_TYPE : CONTENT_TYPES[format],
    [`X-${vendor}-Webhook-Id`]: name.webhookId,
  })
  return accept({ url, format, vendor, fixedHeaders: withAuth(fixedHeaders, auth), signing, envelopeKey })
}

/** The bytes to send and everything that goes with them; at once, unless they have to be sealed first. */
export function buildMessage(ids: Ids, endpoint: PreparedEndpoint, telling: Telling): Message | Promise<Message> {
  const { envelopeKey, format } = endpoint
  const told = telling.isLive ? { ...telling.event, id: ids.uuid() } : telling.event
  const text = format === 'xml' ? writeXml(told) : JSON.stringify(told)
  if (envelopeKey === null) return pack(endpoint, telling, text)
  return seal(envelopeKey, text).then((envelope) => pack(endpoint, telling, envelope))
}

function pack(endpoint: PreparedEndpoint, telling: Telling, text: string): Message {
  const { url, vendor, fixedHeaders, envelopeKey, signing } = endpoint
  const { durableId: id, at } = telling
  const body = Buffer.from(text)
  const timestampSeconds = Math.floor(at / 1000)
  const headers: Record<string, string> = {
    ...fixedHeaders.reveal(),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
  }
  // An envelope hides what happened; its header must not tell.
  if (envelopeKey === null) headers[`X-${vendor}-Event`] = telling.event.event
  if (signing !== null) {
    const signatures = signDelivery(keysAt(signing, at), { id, timestampSeconds, body })
    headers[`X-${vendor}-Signature`] = signatures.platform
    headers['webhook-signature'] = signatures.standard
  }
  return { url, headers, body }
}

async function seal(key: AccountSealingKey, text: string): Promise<string> {
  const sealed = await sealAccountEnvelope(platform, key, text.toWellFormed())
  if (!sealed.ok) throw new Error(`the body of a delivery could not be sealed: ${sealed.refusal}`)
  return sealed.value
}

async function readEnvelopeKey({ accountKey }: Endpoint): Promise<AccountSealingKey | null> {
  if (accountKey === null) return null
  const key = await importAccountSealingKey(platform, accountKey)
  return key.ok ? key.value : null
}

function prepareSigning({ secret, earlier }: Extract<EndpointAuth, { type: 'hmac' }>): Signing | null {
  const newest = signingKey(platform, secret)
  if (newest === null) return null
  const keys = earlier.map(({ secret: before, validUntil }) => ({ key: signingKey(platform, before), validUntil }))
  return { newest, earlier: keys.flatMap(({ key, validUntil }) => (key === null ? [] : [{ key, validUntil }])) }
}

function keysAt({ newest, earlier }: Signing, at: Instant): readonly [SigningKey, ...SigningKey[]] {
  return [newest, ...earlier.filter(({ validUntil }) => at < validUntil).map(({ key }) => key)]
}

function withAuth(fixed: Secret<Record<string, string>>, auth: EndpointAuth): Secret<Headers> {
  const headers = fixed.reveal()
  switch (auth.type) {
    case 'hmac':
    case 'none':
      return fixed
    case 'bearer':
      return new Secret({ ...headers, Authorization: `Bearer ${auth.token.reveal()}` })
    case 'basic': {
      const credentials = Buffer.from(`${auth.username.reveal()}:${auth.password.reveal()}`).toString('base64')
      return new Secret({ ...headers, Authorization: `Basic ${credentials}` })
    }
    case 'header':
      return new Secret(withHeader(headers, auth.name.reveal(), auth.value.reveal()))
  }
}

/** A company may choose a name that we send too, in other letters: one header, its own. */
function withHeader(headers: Headers, name: string, value: string): Headers {
  const lower = name.toLowerCase()
  return {
    ...Object.fromEntries(Object.entries(headers).filter(([ours]) => ours.toLowerCase() !== lower)),
    [name]: value,
  }
}
