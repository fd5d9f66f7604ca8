import { type CryptoPlatform, isWrapper } from '@sealpost/crypto'
import { PLUGIN_MESSAGE_CHARACTERS } from '@sealpost/protocol'

export type PluginAnswer =
  | { readonly kind: 'reply'; readonly reply: string }
  | { readonly kind: 'key_unknown' }
  | { readonly kind: 'unusable' }

/** A reply must be a wrapper: a plugin that answers in plain text would show its answer to the forwarder. */
export function readReply(platform: Pick<CryptoPlatform, 'base64'>, status: number, body: unknown): PluginAnswer {
  if (!mayHaveReply(status)) return { kind: 'unusable' }
  if (status === 409) return memberOf(body, 'error') === 'key_unknown' ? { kind: 'key_unknown' } : { kind: 'unusable' }
  const reply = memberOf(body, 'reply')
  return isMessage(platform, reply) ? { kind: 'reply', reply } : { kind: 'unusable' }
}

export function mayHaveReply(status: number): boolean {
  return status === 200 || status === 409
}

function memberOf(body: unknown, name: string): unknown {
  const members: object = typeof body === 'object' && body !== null ? body : {}
  return Reflect.get(members, name)
}

/** A sealed question or reply of an acceptable size. */
export function isMessage(platform: Pick<CryptoPlatform, 'base64'>, value: unknown): value is string {
  return typeof value === 'string' && value.length <= PLUGIN_MESSAGE_CHARACTERS && isWrapper(platform, value)
}
