import { type CryptoPlatform, isWrapper } from '@sealpost/crypto'
import { PLUGIN_MESSAGE_CHARACTERS } from '@sealpost/protocol'
import { readObject } from './read-object.ts'

export type PluginAnswer =
  | { readonly kind: 'reply'; readonly reply: string }
  | { readonly kind: 'key_unknown' }
  | { readonly kind: 'unusable' }

/** A reply must be a wrapper: a plugin that answers in plain text would show its answer to the forwarder. */
export function readReply(platform: Pick<CryptoPlatform, 'base64'>, status: number, body: Uint8Array): PluginAnswer {
  if (status !== 200 && status !== 409) return { kind: 'unusable' }
  const members = readObject(body)
  if (status === 409) return members?.['error'] === 'key_unknown' ? { kind: 'key_unknown' } : { kind: 'unusable' }
  const reply = members?.['reply']
  return isMessage(platform, reply) ? { kind: 'reply', reply } : { kind: 'unusable' }
}

/** A sealed question or reply of an acceptable size. */
export function isMessage(platform: Pick<CryptoPlatform, 'base64'>, value: unknown): value is string {
  return typeof value === 'string' && value.length <= PLUGIN_MESSAGE_CHARACTERS && isWrapper(platform, value)
}
