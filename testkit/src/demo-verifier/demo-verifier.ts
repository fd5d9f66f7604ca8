import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { formatInstant, instant } from '@sealpost/kernel'
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair } from 'jose'
import { reservePort } from '../engines/ports.ts'

/** What a device brings. `evidence`: what a person shows; a real provider would look at a passport. */
export interface AttestationRequest {
  readonly verification_id: string
  readonly challenge: string
  readonly field_type: string
  readonly evidence: string
}

export interface AttestationAnswer {
  /** The text to seal and to share; only the device gets it. */
  readonly plaintext: string
  /** For the platform. */
  readonly statement: string
}

/** A provider of verifications for tests and demonstrations: it believes everything. */
export interface DemoVerifier {
  /** Its issuer, and where devices POST to. */
  readonly url: string
  /** Its entry in the setting VERIFIERS. */
  readonly setting: string
  /** The key of its signatures, as a JWK. */
  readonly publicKey: { readonly kty: string; readonly crv: string; readonly x: string; readonly y: string }
  attest(request: AttestationRequest): Promise<AttestationAnswer>
  close(): Promise<void>
}

export interface DemoVerifierOptions {
  readonly name?: string
  readonly now?: () => number
  /** How long what it says counts; null for ever. */
  readonly validDays?: number | null
  /** Overrides members of its statements: for tests of what is refused. */
  readonly lie?: () => Readonly<Record<string, unknown>>
}

const DAY_MS = 86_400_000
const VALID_DAYS = 365
const BODY_MAX = 64 * 1024 * 1024

export async function startDemoVerifier(options: DemoVerifierOptions = {}): Promise<DemoVerifier> {
  const { name = 'demo_id' } = options
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const { port, release } = await reservePort()
  const url = `http://127.0.0.1:${port}`
  const server = createServer((request, response) => {
    answer(request, { url, privateKey, options }).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const jwk = await exportJWK(publicKey)
  return {
    url,
    setting: `${name}|id_document|${url}|${JSON.stringify(jwk)}`,
    publicKey: { kty: 'EC', crv: 'P-256', x: jwk.x ?? '', y: jwk.y ?? '' },
    attest: (request) => bring(url, request),
    async close() {
      await closeServer(server)
      release()
    },
  }
}

interface Desk {
  readonly url: string
  readonly privateKey: CryptoKey
  readonly options: DemoVerifierOptions
}

async function answer(request: IncomingMessage, desk: Desk): Promise<AttestationAnswer> {
  if (request.method !== 'POST') throw new Error('bring a challenge by POST')
  const brought = readRequest(await readText(request))
  const plaintext = brought.evidence.trim()
  if (plaintext === '') throw new Error('there is nothing to verify')
  return { plaintext, statement: await sign(desk, brought, plaintext) }
}

/** What goes to the platform: a salted hash of the text, bound to the challenge. */
async function sign({ url, privateKey, options }: Desk, brought: AttestationRequest, text: string): Promise<string> {
  const { now = Date.now, validDays = VALID_DAYS, lie } = options
  const salt = randomBytes(16).toString('hex')
  const verifiedAt = now()
  const statement = {
    iss: url,
    verification_id: brought.verification_id,
    challenge: brought.challenge,
    field_type: brought.field_type,
    hash: createHash('sha256').update(`${salt}${text}`, 'utf8').digest('hex'),
    salt,
    verified_at: formatInstant(instant(verifiedAt)),
    expires_at: validDays === null ? null : formatInstant(instant(verifiedAt + validDays * DAY_MS)),
    ...lie?.(),
  }
  return new CompactSign(Buffer.from(JSON.stringify(statement))).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
}

function readRequest(text: string): AttestationRequest {
  const value: unknown = JSON.parse(text)
  const members: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {}
  const member = (name: string): string => {
    const found = members[name]
    if (typeof found !== 'string') throw new Error(`${name} is missing`)
    return found
  }
  return {
    verification_id: member('verification_id'),
    challenge: member('challenge'),
    field_type: member('field_type'),
    evidence: member('evidence'),
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder()
  const source: AsyncIterable<Uint8Array> = request
  let text = ''
  for await (const chunk of source) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > BODY_MAX) throw new Error('that is too much')
  }
  return text
}

async function bring(url: string, request: AttestationRequest): Promise<AttestationAnswer> {
  const headers = { 'content-type': 'application/json' }
  const told = await fetch(url, { method: 'POST', headers, body: JSON.stringify(request) })
  if (!told.ok) throw new Error(`the provider answered ${told.status}: ${await told.text()}`)
  const body: unknown = await told.json()
  const { plaintext, statement }: Partial<Record<string, unknown>> = typeof body === 'object' ? { ...body } : {}
  if (typeof plaintext !== 'string' || typeof statement !== 'string') throw new Error('the provider attested nothing')
  return { plaintext, statement }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
