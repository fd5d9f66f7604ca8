import {
  type AccountSealingKey,
  createCryptoPlatform,
  importAccountSealingKey,
  sealAccountEnvelope,
} from '@sealpost/crypto'
import { writeXml } from '@sealpost/http'
import { accept, decline, type EventId, type Ids, type Instant, type Result, Secret } from '@sealpost/kernel'
import type { ServiceEvent } from '@sealpost/protocol'
import { type Endpoint, type EndpointAuth, UNREADABLE } from '../model.ts'
import { signDelivery, type SigningKey, signingKey } from './sign.ts'

type Headers = Readonly<Record<string, string>>

/** An endpoint with everything precomputed that all its deliveries share. */
export interface PreparedEndpoint {
  readonly url: string
  readonly format: 'json' | 'xml'
  readonly vendor: string
  /** Identification and authentication; signatures are computed per delivery. */
  readonly fixedHeaders: Secret<Headers>
  readonly signing: Signing | null
  /** Not null: the body is sealed to this key. */
  readonly envelopeKey: AccountSealingKey | null
}

interface Signing {
  readonly newest: SigningKey
  readonly earlier: readonly { readonly key: SigningKey; readonly validUntil: Instant }[]
}

/** The content of one delivery. */
export interface DeliveryContent {
  readonly event: ServiceEvent
  /** The same on every attempt and every channel: receivers recognise repeats by it. */
  readonly durableId: EventId | string
  /** The body of a live delivery has its own id. */
  readonly isLive: boolean
  /** The time of this attempt. */
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

/** Refused with a sentence for the company when the configuration does not allow sending. */
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

/** The request to send; synchronous unless the body has to be sealed. */
export function buildMessage(
  ids: Ids,
  endpoint: PreparedEndpoint,
  content: DeliveryContent,
): Message | Promise<Message> {
  const { envelopeKey, format } = endpoint
  const event = content.isLive ? { ...content.event, id: ids.uuid() } : content.event
  const text = format === 'xml' ? writeXml(event) : JSON.stringify(event)
  if (envelopeKey === null) return pack(endpoint, content, text)
  return seal(envelopeKey, text).then((envelope) => pack(endpoint, content, envelope))
}

function pack(endpoint: PreparedEndpoint, content: DeliveryContent, text: string): Message {
  const { url, vendor, fixedHeaders, envelopeKey, signing } = endpoint
  const { durableId: id, at } = content
  const body = Buffer.from(text)
  const timestampSeconds = Math.floor(at / 1000)
  const headers: Record<string, string> = {
    ...fixedHeaders.reveal(),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
  }
  // The envelope hides the kind of the event, so the header is left out.
  if (envelopeKey === null) headers[`X-${vendor}-Event`] = content.event.event
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

/** A header of the company replaces ours of the same name, compared without case. */
function withHeader(headers: Headers, name: string, value: string): Headers {
  const lower = name.toLowerCase()
  return {
    ...Object.fromEntries(Object.entries(headers).filter(([ours]) => ours.toLowerCase() !== lower)),
    [name]: value,
  }
}
