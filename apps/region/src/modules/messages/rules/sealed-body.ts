import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { accept, decline, type Result } from '@sealpost/kernel'
import { MESSAGE_MAX_BYTES } from '@sealpost/protocol'

const platform = createCryptoPlatform(globalThis)

export type BodyRefusal =
  | { readonly key: 'contact_data.encryption_required' }
  | { readonly key: 'request.invalid'; readonly problem: { readonly path: string; readonly message: string } }

export interface GivenMessage {
  readonly body?: unknown
  readonly sender_body?: unknown
}

export interface SealedMessage {
  /** Sealed to the recipient. */
  readonly body: string
  /** Sealed to the sender; null without a copy. */
  readonly senderBody: string | null
}

/** Both are wrapper strings; an object is refused. */
export function validateMessage({ body, sender_body: own }: GivenMessage): Result<SealedMessage, BodyRefusal> {
  const sealed = validateSealed('/body/body', body)
  if (!sealed.ok) return sealed
  if (own === undefined || own === null) return accept({ body: sealed.value, senderBody: null })
  const copy = validateSealed('/body/sender_body', own)
  return copy.ok ? accept({ body: sealed.value, senderBody: copy.value }) : copy
}

function validateSealed(path: string, text: unknown): Result<string, BodyRefusal> {
  if (typeof text !== 'string') return decline({ key: 'contact_data.encryption_required' })
  const size = validateSize(path, text)
  if (!size.ok) return size
  return isWrapper(platform, text) ? size : decline({ key: 'contact_data.encryption_required' })
}

export function validateSize(path: string, text: string): Result<string, BodyRefusal> {
  if (Buffer.byteLength(text) <= MESSAGE_MAX_BYTES) return accept(text)
  return decline({ key: 'request.invalid', problem: { path, message: `must have at most ${MESSAGE_MAX_BYTES} bytes` } })
}
