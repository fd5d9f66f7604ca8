import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { testCertificate } from '@sealpost/egress/test-certificate'
import { importJWK, type JWTPayload, jwtVerify } from 'jose'

/** A push message as the browser gets it, and what the push service learned. */
export interface TakenPush {
  readonly endpoint: string
  readonly text: string
  readonly ttl: string | undefined
  readonly urgency: string | undefined
  readonly topic: string | undefined
  /** The application server key of the message. */
  readonly key: string
  readonly claims: JWTPayload
  /** Of the sealed body. */
  readonly bytes: number
}

export interface BrowserSubscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** A push service on loopback, by HTTPS, and the browsers behind it: it opens what it takes (RFC 8291, RFC 8292). */
export interface PushSink {
  /** The certificate to trust. */
  readonly certificate: string
  readonly taken: readonly TakenPush[]
  /** Requests that were answered with a refusal, also those with a body that did not open. */
  readonly refused: () => number
  subscribe(): BrowserSubscription
  /** From now on messages to this endpoint are answered so. */
  answerWith(endpoint: string, status: number, headers?: Readonly<Record<string, string>>): void
  close(): Promise<void>
}

interface Browser {
  readonly pair: ECDH
  readonly auth: Buffer
  status: number
  headers: Readonly<Record<string, string>>
}

const ACCEPTED = 201
/** The head of RFC 8188: salt, record size, length of the key. */
const [SALT_BYTES, KEY_AT, TAG_BYTES] = [16, 21, 16]

export async function startPushSink(now: () => number = Date.now): Promise<PushSink> {
  const browsers = new Map<string, Browser>()
  const taken: TakenPush[] = []
  let refused = 0
  const { key, cert } = testCertificate('localhost')
  const server = createServer({ key, cert }, (request, response) => {
    const browser = browsers.get(request.url ?? '')
    const status = browser?.status ?? 404
    if (browser === undefined || status !== ACCEPTED) {
      refused += 1
      response.writeHead(status, browser?.headers ?? {}).end()
      return
    }
    receive(request, browser, origin(), now()).then(
      (push) => {
        taken.push(push)
        response.writeHead(ACCEPTED).end()
      },
      (error: unknown) => {
        refused += 1
        response.writeHead(400).end(String(error))
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const origin = (): string => `https://localhost:${port}`
  return {
    certificate: cert,
    taken,
    refused: () => refused,
    subscribe() {
      const pair = createECDH('prime256v1')
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('base64url')}`
      const p256dh = pair.generateKeys('base64url')
      browsers.set(path, { pair, auth, status: ACCEPTED, headers: {} })
      return { endpoint: `${origin()}${path}`, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    answerWith(endpoint, status, headers = {}) {
      const browser = browsers.get(new URL(endpoint).pathname)
      if (browser === undefined) throw new Error(`${endpoint} is no subscription of this sink`)
      Object.assign(browser, { status, headers })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function receive(request: IncomingMessage, browser: Browser, origin: string, now: number): Promise<TakenPush> {
  const body = await buffer(request)
  if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('the body is not sealed')
  const { key, claims } = await verifyVapid(request.headers.authorization ?? '', origin, now)
  const { ttl, urgency, topic } = request.headers
  return {
    endpoint: `${origin}${request.url ?? ''}`,
    text: open(body, browser),
    ttl: asText(ttl),
    urgency: asText(urgency),
    topic: asText(topic),
    key,
    claims,
    bytes: body.length,
  }
}

function asText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

async function verifyVapid(
  header: string,
  audience: string,
  now: number,
): Promise<{ key: string; claims: JWTPayload }> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const verified = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
  const { payload } = await jwtVerify(token, verified, { audience, currentDate: new Date(now), algorithms: ['ES256'] })
  if (payload.exp === undefined || payload.exp > now / 1000 + 86_400) throw new Error('the token lives too long')
  return { key, claims: payload }
}

function open(body: Buffer, { pair, auth }: Browser): string {
  const salt = body.subarray(0, SALT_BYTES)
  const keyEnd = KEY_AT + (body[KEY_AT - 1] ?? 0)
  const theirs = body.subarray(KEY_AT, keyEnd)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), theirs])
  const secret = derive(pair.computeSecret(theirs), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(body.subarray(-TAG_BYTES))
  const plain = Buffer.concat([decipher.update(body.subarray(keyEnd, -TAG_BYTES)), decipher.final()])
  // The last record ends with 2, then zeros.
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8')
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}
