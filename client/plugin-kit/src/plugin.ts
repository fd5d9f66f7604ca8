import { importSealingKey, openWrapper, sealWrapper } from '@sealpost/crypto'
import { type Manifest, parseQuestion, PLUGIN_LIMITS as LIMITS, type Reply, writeReply } from '@sealpost/plugin'
import { answerQuestion, QuestionError } from './answer-question.ts'
import { type CheckToken, tokenCheck } from './bearer-token.ts'
import { checkDefinitions, type ServedFieldType } from './check-definition.ts'
import { DefinitionError } from './definition-error.ts'
import type { AnyFieldType } from './definition.ts'
import { hostPlatform } from './host.ts'
import type { KeyRollover } from './key-rollover.ts'
import { checkRollovers, nextRollovers } from './key-rollovers.ts'
import { type PluginKey, readPrivateKey } from './private-key.ts'

export interface PluginOptions {
  /** What companies see in their list of plugins. */
  readonly name: string
  /** The private key as PEM: `createPrivateKey()` or `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048`. */
  readonly key: string
  /**
   * How the keys before it vouch for it, oldest first: `rollOverKey` or `sealpost plugin key --previous` makes them. Clients
   * remember the key of a plugin and take another one only if the one that they know vouches for it.
   */
  readonly keyRollovers?: readonly KeyRollover[]
  /** The bearer token that the company entered for this plugin; leave it out for none. */
  readonly token?: string
  readonly fieldTypes: readonly AnyFieldType[]
  /** The time for one answer; the forwarder waits 3 seconds. Default 2,500. */
  readonly timeoutMs?: number
  /** Receives errors of your functions, and of questions that cannot be answered. Default: `console.error`. */
  readonly onError?: (error: unknown) => void
}

/** A request as an adapter hands it over. */
export interface PluginRequest {
  readonly method: string
  /** Below the base address: `/manifest` or `/call`. */
  readonly path: string
  readonly authorization: string | undefined
  /** Of a call: the text, its bytes, or the JSON that a framework has parsed. */
  readonly body?: unknown
}

export interface PluginAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Plugin {
  /** As it is served now. */
  manifest(): PublishedManifest
  /**
   * Replaces the key; the earlier one vouches for it. Questions sealed to the earlier one are answered 409 `key_unknown`; the
   * forwarder then reads the manifest again, and clients seal once more. Keep the resolved list with the key: it is
   * `keyRollovers` of the next start.
   */
  rotate(key: string): Promise<readonly KeyRollover[]>
  handle(request: PluginRequest): Promise<PluginAnswer>
}

/** The description of the plugin, as JSON. */
export interface PublishedManifest {
  readonly name: string
  readonly public_key: string
  readonly key_rollovers: readonly KeyRollover[]
  readonly field_types: readonly Readonly<Record<string, unknown>>[]
}

/** Bytes of a call's body: the sealed question and the JSON around it. */
export const MAX_BODY_BYTES = LIMITS.sealedBytes + 1024

/** Checks the definitions and imports the key; throws a `DefinitionError` that lists all problems. */
export async function openPlugin(options: PluginOptions): Promise<Plugin> {
  const { name, fieldTypes, timeoutMs = 2_500, onError = printError } = options
  const served = checkDefinitions(name, fieldTypes)
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs >= LIMITS.callMs) {
    throw new DefinitionError([`timeoutMs must be a whole number below ${LIMITS.callMs}, when the forwarder gives up`])
  }
  const checkToken = await tokenCheck(options.token)
  const key = await readPrivateKey(options.key)
  const rollovers = await checkRollovers(options.keyRollovers ?? [], key.publicKey)
  const parts: Parts = { name, served, checkToken, timeoutMs, onError, key, rollovers }
  if (JSON.stringify(manifestOf(parts)).length > LIMITS.manifestBytes) {
    throw new DefinitionError([`the manifest is larger than ${LIMITS.manifestBytes} bytes; serve fewer field types`])
  }
  return {
    manifest: () => ({ ...manifestOf(parts), field_types: served.map(({ described }) => ({ ...described })) }),
    async rotate(pem) {
      const next = await readPrivateKey(pem)
      const vouched = await nextRollovers(parts.rollovers, parts.key, next.publicKey)
      Object.assign(parts, { key: next, rollovers: vouched })
      return vouched
    },
    handle: (request) => handle(parts, request),
  }
}

interface Parts {
  readonly name: string
  readonly served: readonly ServedFieldType[]
  readonly checkToken: CheckToken
  readonly timeoutMs: number
  readonly onError: (error: unknown) => void
  key: PluginKey
  rollovers: readonly KeyRollover[]
}

function manifestOf({ name, key, rollovers, served }: Parts) {
  const types = served.map(({ described }) => described)
  return { name, public_key: key.publicKey, key_rollovers: rollovers, field_types: types } satisfies Manifest
}

async function handle(parts: Parts, request: PluginRequest): Promise<PluginAnswer> {
  const expected = request.path === '/manifest' ? 'GET' : 'POST'
  if (request.path !== '/manifest' && request.path !== '/call') {
    return refuse(404, 'not_found', 'this plugin serves /manifest and /call')
  }
  if (!(await parts.checkToken(request.authorization))) {
    const refusal = refuse(401, 'token_invalid', 'the bearer token is missing or another one')
    return { ...refusal, headers: { 'www-authenticate': 'Bearer' } }
  }
  if (request.method !== expected) {
    return { ...refuse(405, 'method_not_allowed', `use ${expected}`), headers: { allow: expected } }
  }
  if (expected === 'GET') return { status: 200, body: { ...manifestOf(parts) } }
  const sealed = readRequest(request.body)
  return typeof sealed === 'string' ? call(parts, sealed) : sealed
}

async function call(parts: Parts, sealed: string): Promise<PluginAnswer> {
  const platform = hostPlatform()
  const opened = await openWrapper(platform, parts.key.opening, sealed)
  // A changed wrapper and one for another key cannot be told apart: both are answered alike.
  if (!opened.ok && opened.refusal === 'wrong_key') return { status: 409, body: { error: 'key_unknown' } }
  if (!opened.ok) return refuse(400, 'request_invalid', `request cannot be opened: ${opened.refusal}`)
  const parsed = parseQuestion(
    opened.value,
    parts.served.map(({ described }) => described),
  )
  if (!parsed.ok) {
    const [{ path, problem } = { path: '', problem: '' }] = parsed.refusal
    return refuse(400, 'question_invalid', `${path} ${problem}`.trim())
  }
  const question = parsed.value
  const replyKey = await importSealingKey(platform, question.replyKey)
  if (!replyKey.ok) return refuse(400, 'question_invalid', 'reply_key is no public key')
  const served = parts.served.find(({ described }) => described === question.fieldType)
  if (served === undefined) return refuse(400, 'question_invalid', 'field_type is unknown')
  try {
    const reply = await inTime(parts.timeoutMs, (signal) => answerQuestion(served, question, signal))
    const text = await sealWithin(replyKey.value, reply)
    return { status: 200, body: { reply: text } }
  } catch (error) {
    return failed(parts, error)
  }
}

/** Options that do not fit into a reply are cut, like those above 50. */
async function sealWithin(key: Parameters<typeof sealWrapper>[1], reply: Reply): Promise<string> {
  const sealed = await sealWrapper(hostPlatform(), key, writeReply(reply))
  if (!sealed.ok) throw new TypeError('the reply contains text that is no valid Unicode')
  if (sealed.value.length <= LIMITS.sealedBytes) return sealed.value
  if (reply.kind !== 'options') throw new TypeError(`the sealed outputs are larger than ${LIMITS.sealedBytes} bytes`)
  return sealWithin(key, { ...reply, options: reply.options.slice(0, reply.options.length >> 1), more: true })
}

function readRequest(body: unknown): string | PluginAnswer {
  const parsed = parseBody(body)
  const isObject = typeof parsed === 'object' && parsed !== null
  const sealed = isObject && 'request' in parsed ? parsed.request : undefined
  if (typeof sealed !== 'string') return refuse(400, 'request_invalid', 'send JSON {"request": "<wrapper>"}')
  if (sealed.length > LIMITS.sealedBytes) return tooLarge()
  return sealed
}

function parseBody(body: unknown): unknown {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return body
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch {
    return null
  }
}

/** Of a body that an adapter did not read to its end. */
export function tooLarge(): PluginAnswer {
  return refuse(413, 'too_large', `a sealed question has at most ${LIMITS.sealedBytes} bytes`)
}

function refuse(status: number, error: string, message: string): PluginAnswer {
  return { status, body: { error, message } }
}

function failed({ onError }: Parts, error: unknown): PluginAnswer {
  if (error instanceof QuestionError) return refuse(400, 'question_invalid', error.message)
  try {
    onError(error)
  } catch {
    // There is no other place to report it.
  }
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  if (isLate) return refuse(503, 'timeout', 'the plugin did not compute the answer in time')
  return refuse(500, 'failed', 'the plugin failed')
}

async function inTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms)
  const late = new Promise<never>((_resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the TimeoutError of the platform
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work(signal), late])
}

function printError(error: unknown): void {
  // oxlint-disable-next-line eslint/no-console -- the default reporter: an unreported failure would stay unnoticed
  console.error(error)
}
