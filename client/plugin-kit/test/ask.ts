import {
  createCryptoPlatform,
  generateKeyPair,
  importOpeningKey,
  importSealingKey,
  type KeyPair,
  openWrapper,
  sealWrapper,
} from '@sealpost/crypto'
import type { PluginAnswer, Plugin } from '../src/index.ts'

const platform = createCryptoPlatform(globalThis)

let kept: Promise<KeyPair> | null = null

/** A reply key for all tests: a client makes a fresh one for each call. */
export function replyKeys(): Promise<KeyPair> {
  kept ??= generateKeyPair(platform)
  return kept
}

export async function seal(publicKey: string, text: string): Promise<string> {
  const key = await importSealingKey(platform, publicKey)
  const sealed = key.ok ? await sealWrapper(platform, key.value, text) : key
  if (!sealed.ok) throw new Error(sealed.refusal)
  return sealed.value
}

export async function sealQuestion(publicKey: string, question: object): Promise<string> {
  const { publicKey: replyKey } = await replyKeys()
  return seal(publicKey, JSON.stringify({ reply_key: replyKey, ...question }))
}

export async function openReply(reply: unknown): Promise<unknown> {
  const { privateKey } = await replyKeys()
  const key = await importOpeningKey(platform, privateKey)
  const opened = key.ok ? await openWrapper(platform, key.value, String(reply)) : key
  if (!opened.ok) throw new Error(opened.refusal)
  return JSON.parse(opened.value)
}

/** Asks as the forwarder does and returns the opened reply, or the refusal. */
export async function ask(plugin: Plugin, question: object, authorization?: string): Promise<unknown> {
  const answer = await call(plugin, await sealQuestion(plugin.manifest().public_key, question), authorization)
  return answer.status === 200 ? openReply(answer.body['reply']) : answer
}

export function call(plugin: Plugin, request: unknown, authorization?: string): Promise<PluginAnswer> {
  return plugin.handle({ method: 'POST', path: '/call', authorization, body: JSON.stringify({ request }) })
}
