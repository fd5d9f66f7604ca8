import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A plugin that shares no code with ours: it is written with Node's own ciphers, as an author in another language would
 * write it. Each part can be replaced by a faulty one.
 */
export interface Behaviour {
  readonly token: string | null
  readonly bodyLimit: number
  manifest(good: ManifestBody): unknown
  /** Null: the request goes on to the plugin. */
  before(request: IncomingMessage, body: string): Answered | null | Promise<Answered | null>
  readonly unknownKey: Answered
  readonly malformed: Answered
  options(question: Asked): unknown
  outputs(question: Asked): unknown
  seal(text: string, replyKey: string): string
  answer(reply: string, question: Asked): Answered | Promise<Answered>
}

export interface Answered {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Asked {
  readonly op: string
  readonly block: string
  readonly query: string
  readonly picks: Readonly<Record<string, string>>
  readonly reply_key: string
}

export type ManifestBody = ReturnType<typeof goodManifest>

interface Offered {
  readonly id: string
  readonly label: string
}

const CITIES: Readonly<Record<string, readonly string[]>> = { ch: ['Bern', 'Basel'], pt: ['Porto', 'Lisbon'] }

export const countries: readonly Offered[] = [
  { id: 'ch', label: 'Switzerland' },
  { id: 'pt', label: 'Portugal' },
]

export function citiesOf(country = ''): readonly Offered[] {
  return (CITIES[country] ?? []).map((label) => ({ id: label.toLowerCase(), label }))
}

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const PUBLIC_KEY = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
export const PUBLIC_PEM = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()

function goodManifest() {
  const blocks = [
    { key: 'country', kind: 'search_select', label: 'Country' },
    { key: 'city', kind: 'search_select', label: 'City', depends_on: ['country'] },
    { key: 'street', kind: 'text', label: 'Street' },
  ]
  const outputs = [
    { key: 'zone', type: 'number', label: 'Zone' },
    { key: 'since', type: 'date', label: 'Since' },
  ]
  const place = { key: 'place', label: 'Place', blocks, inputs: [], outputs }
  return { name: 'Places', public_key: PUBLIC_KEY, field_types: [place] }
}

/** The options that fit the query and the pick before them. */
export function offered({ block, query, picks }: Pick<Asked, 'block' | 'query' | 'picks'>): readonly Offered[] {
  const all = block === 'country' ? countries : citiesOf(picks['country'])
  return all.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()))
}

/** Whether the city is one of the country. */
export function isFitting(picks: Asked['picks']): boolean {
  return citiesOf(picks['country']).some(({ id }) => id === picks['city'])
}

export const good: Behaviour = {
  token: null,
  bodyLimit: 70_000,
  manifest: (manifest) => manifest,
  before: () => null,
  unknownKey: { status: 409, body: { error: 'key_unknown' } },
  malformed: { status: 400, body: { error: 'malformed' } },
  options: (question) => ({ options: offered(question), more: false }),
  outputs: ({ picks }) => (isFitting(picks) ? { outputs: { zone: 3, since: '2020-02-29' } } : { picks_invalid: true }),
  seal: (text, replyKey) => sealWith(text, replyKey, 'sha256', randomBytes(12)),
  answer: (reply) => ({ status: 200, body: { reply } }),
}

export function sealWith(text: string, replyKey: string, oaepHash: string, iv: Buffer): string {
  const key = createPublicKey({ key: Buffer.from(replyKey, 'base64'), type: 'spki', format: 'der' })
  const dataKey = randomBytes(32)
  const cipher = createCipheriv('aes-256-gcm', dataKey, iv)
  const d = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  const k = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, dataKey)
  return JSON.stringify({ _enc: 1, k: k.toString('base64'), iv: iv.toString('base64'), d: d.toString('base64') })
}

/** Refuses a call while another one is answered. Each answer waits for a second call, for a moment at most. */
export function oneAtATime(): Behaviour['answer'] {
  let first: (() => void) | null = null
  return async (reply) => {
    if (first !== null) {
      first()
      return { status: 503, body: {} }
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    first = resolve
    const timer = setTimeout(resolve, 30)
    await promise
    clearTimeout(timer)
    first = null
    return { status: 200, body: { reply } }
  }
}

export interface RunningPlugin extends AsyncDisposable {
  readonly url: string
}

export async function startOwnPlugin(faults: Partial<Behaviour> = {}): Promise<RunningPlugin> {
  const behaviour = { ...good, ...faults }
  const server = createServer((request, response) => {
    void (async () => {
      const body = await read(request)
      const { status, body: sent, headers = {} } = await serve(behaviour, request, body)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof sent === 'string' ? sent : JSON.stringify(sent))
    })()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function serve(behaviour: Behaviour, request: IncomingMessage, body: string): Promise<Answered> {
  const early = await behaviour.before(request, body)
  if (early !== null) return early
  const { token } = behaviour
  if (token !== null && request.headers.authorization !== `Bearer ${token}`) return { status: 401, body: {} }
  if (request.url === '/manifest') return { status: 200, body: behaviour.manifest(goodManifest()) }
  if (body.length > behaviour.bodyLimit) return { status: 413, body: {} }
  const wrapper = wrapperOf(body)
  if (wrapper === null) return behaviour.malformed
  const dataKey = openKey(wrapper.k)
  if (dataKey === null) return behaviour.unknownKey
  const question = questionOf(dataKey, wrapper)
  if (question === null) return behaviour.malformed
  const reply = question.op === 'options' ? behaviour.options(question) : behaviour.outputs(question)
  return behaviour.answer(behaviour.seal(JSON.stringify(reply), question.reply_key), question)
}

interface Wrapper {
  readonly k: Buffer
  readonly iv: Buffer
  readonly d: Buffer
}

function wrapperOf(body: string): Wrapper | null {
  try {
    const { k, iv, d } = objectOf(String(objectOf(body)['request']))
    return { k: decoded(k), iv: decoded(iv), d: decoded(d) }
  } catch {
    return null
  }
}

function decoded(member: unknown): Buffer {
  return Buffer.from(String(member), 'base64')
}

function openKey(k: Buffer): Buffer | null {
  const { privateKey: key } = keys
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, k)
  } catch {
    return null
  }
}

/** Null for everything that is no question of this plugin. */
function questionOf(dataKey: Buffer, { iv, d }: Wrapper): Asked | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', dataKey, iv).setAuthTag(d.subarray(-16))
    const text = Buffer.concat([decipher.update(d.subarray(0, -16)), decipher.final()]).toString()
    const { field_type: fieldType, ...question } = objectOf(text)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members that matter are checked below
    const asked = question as unknown as Asked
    createPublicKey({ key: Buffer.from(asked.reply_key, 'base64'), type: 'spki', format: 'der' })
    const isBlock = asked.op === 'outputs' || (asked.op === 'options' && ['country', 'city'].includes(asked.block))
    return fieldType === 'place' && isBlock ? asked : null
  } catch {
    return null
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null) throw new Error('no object')
  return { ...parsed }
}

async function read(request: IncomingMessage): Promise<string> {
  let body = ''
  request.setEncoding('utf8')
  for await (const chunk of request) body += String(chunk)
  return body
}
