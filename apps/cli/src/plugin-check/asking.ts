import {
  type CryptoPlatform,
  generateKeyPair,
  importOpeningKey,
  importSealingKey,
  isWrapper,
  type OpeningKey,
  openWrapper,
  sealWrapper,
} from '@sealpost/crypto'
import { type FieldType, type Filled, type Manifest, PLUGIN_LIMITS as LIMITS, writeQuestion } from '@sealpost/plugin'
import { type Answer, type Peer, wordsOf } from './peer.ts'
import type { Report } from './report.ts'

const SLOW_MS = 1_500

export interface ReplyKey {
  readonly publicKey: string
  readonly opening: OpeningKey
}

export async function newReplyKey(platform: CryptoPlatform): Promise<ReplyKey> {
  const { publicKey, privateKey } = await generateKeyPair(platform)
  const opening = await importOpeningKey(platform, privateKey)
  if (!opening.ok) throw new Error('a generated key cannot be imported')
  return { publicKey, opening: opening.value }
}

export async function sealFor(platform: CryptoPlatform, publicKey: string, text: string): Promise<string> {
  const key = await importSealingKey(platform, publicKey)
  const sealed = key.ok ? await sealWrapper(platform, key.value, text) : key
  if (!sealed.ok) throw new Error(`the question cannot be sealed: ${sealed.refusal}`)
  return sealed.value
}

export type Op = { readonly op: 'options'; readonly block: string; readonly query: string } | { readonly op: 'outputs' }

/** Asks as a client does, and notes what is wrong with the way of the answer. */
export class Asking {
  readonly platform: CryptoPlatform
  readonly manifest: Manifest
  readonly #peer: Peer
  readonly #report: Report
  readonly #replyKeys: readonly [ReplyKey, ReplyKey]
  /** The sealed data keys of earlier replies. */
  readonly #seen = new Set<string>()
  #turn = 0

  constructor(
    platform: CryptoPlatform,
    { manifest, peer, report }: { readonly manifest: Manifest; readonly peer: Peer; readonly report: Report },
    replyKeys: readonly [ReplyKey, ReplyKey],
  ) {
    this.platform = platform
    this.manifest = manifest
    this.#peer = peer
    this.#report = report
    this.#replyKeys = replyKeys
  }

  /** The opened reply; null when there is none, which was noted. */
  async ask(asked: Op, { key }: Pick<FieldType, 'key'>, filled: Filled, subject: string): Promise<string | null> {
    const replyKey = this.#nextKey()
    const question = writeQuestion(asked, key, filled, replyKey.publicKey)
    return this.send(question, replyKey, subject)
  }

  async send(question: string, replyKey: ReplyKey, subject: string): Promise<string | null> {
    const answer = await this.#peer.call(await sealFor(this.platform, this.manifest.public_key, question))
    this.#noteTime(answer, subject)
    this.#report.begin('reply.sealed', subject)
    if (answer.kind === 'failed' || answer.status !== 200) {
      this.#report.fail(
        'reply.sealed',
        `the question was ${wordsOf(answer)}${shown(answer)}`,
        refusedRemedy(answer),
        subject,
      )
      return null
    }
    return this.#open(answer.text, replyKey, subject)
  }

  /** Two keys in turn: a plugin that keeps the first one is found. */
  #nextKey(): ReplyKey {
    this.#turn += 1
    return this.#replyKeys[this.#turn % 2] ?? this.#replyKeys[0]
  }

  async #open(text: string, replyKey: ReplyKey, subject: string): Promise<string | null> {
    const body = parseObject(text)
    const reply = body?.['reply']
    if (body === null || typeof reply !== 'string') {
      const happened = `the answer is ${body === null ? 'no JSON object' : 'JSON without the text "reply"'}`
      this.#report.fail('reply.sealed', happened, 'Answer 200 {"reply": "<wrapper>"}, the wrapper as text.', subject)
      return null
    }
    this.#noteForm(body, reply, subject)
    const opened = await openWrapper(this.platform, replyKey.opening, reply)
    if (opened.ok) return opened.value
    const [happened, remedy] = isWrapper(this.platform, reply)
      ? [
          `the reply does not open with the reply key of its question (${opened.refusal})`,
          'Seal to reply_key of this very question: RSA-OAEP with SHA-256 for hash and MGF1, AES-256-GCM with a tag of 16 bytes.',
        ]
      : [
          'the reply is no wrapper',
          'Seal the reply: text of {"_enc":1,"k":…,"iv":…,"d":…} with exactly these members, all base64.',
        ]
    this.#report.fail('reply.sealed', happened, remedy, subject)
    return null
  }

  #noteForm(body: Readonly<Record<string, unknown>>, reply: string, subject: string): void {
    this.#report.begin('reply.only')
    this.#report.begin('reply.fresh')
    this.#report.begin('reply.size')
    const others = Object.keys(body).filter((name) => name !== 'reply')
    if (others.length > 0) {
      const happened = `the answer also holds ${others.join(', ')}, which the forwarder can read`
      this.#report.fail('reply.only', happened, 'Send {"reply": …} alone; everything else belongs into the reply.')
    }
    if (reply.length > LIMITS.sealedBytes) {
      const happened = `a reply of ${reply.length} bytes${subject === '' ? '' : ` (${subject})`}`
      this.#report.fail('reply.size', happened, 'Shorten labels, or return fewer options with more: true.')
    }
    const { k, iv } = parseObject(reply) ?? {}
    for (const [name, value] of Object.entries({ k, iv })) {
      if (typeof value !== 'string') continue
      if (this.#seen.has(value)) {
        const remedy = 'Make a new AES key and a new iv from a secure random source for every reply.'
        this.#report.fail('reply.fresh', `two replies have the same ${name}`, remedy)
      }
      this.#seen.add(value)
    }
  }

  #noteTime(answer: Answer, subject: string): void {
    this.#report.begin('call.time')
    if (answer.kind === 'failed' && answer.failure.kind === 'timeout') {
      const remedy = 'Answer within 3 seconds: afterwards the person sees that the plugin does not respond.'
      this.#report.fail('call.time', `no answer within ${LIMITS.callMs} ms${where(subject)}`, remedy)
    } else if (answer.kind === 'answered' && answer.totalMs > SLOW_MS) {
      const remedy = 'Below 3 seconds, but a person waits for each list; aim at half a second.'
      this.#report.warn('call.time', `an answer took ${answer.totalMs} ms${where(subject)}`, remedy)
    }
  }
}

function where(subject: string): string {
  return subject === '' ? '' : ` (${subject})`
}

function shown(answer: Answer): string {
  return answer.kind === 'failed' || answer.text === '' ? '' : `: ${answer.text.slice(0, 160)}`
}

function refusedRemedy(answer: Answer): string {
  if (answer.kind === 'failed') {
    return answer.failure.kind === 'too_large'
      ? 'A reply has at most 64 KiB: shorten labels, or return fewer options with more: true.'
      : 'Look into the log of the plugin.'
  }
  if (answer.status === 409)
    return 'The question was sealed to public_key of the manifest: serve the key that you open with.'
  return 'The question is valid: answer 200 with a sealed reply. The log of the plugin says why it was refused.'
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null
  } catch {
    return null
  }
}
