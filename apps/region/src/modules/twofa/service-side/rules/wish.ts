import { accept, decline, type Result } from '@sealpost/kernel'

export const LONGEST_CONTEXT = 200
const LONGEST_KEY = 64
const LONGEST_CODE = 64

export interface GivenChallenge {
  readonly share_code?: unknown
  readonly idempotency_key?: unknown
  readonly context?: string | null
}

export interface Wish {
  readonly shareCode: string
  readonly idempotencyKey: string
  readonly context: string | null
}

export type WishRefusal =
  | { readonly key: 'twofa.share_code_required' | 'twofa.idempotency_key_required' | 'twofa.context_too_long' }
  | { readonly key: 'request.invalid'; readonly path: string; readonly message: string }

/** Codes are compared as the directory makes them; the card shows the context as it was sent, in NFC. */
export function readWish(given: GivenChallenge): Result<Wish, WishRefusal> {
  const { share_code: code = null, idempotency_key: idempotencyKey = null, context: text = null } = given
  if (code === null || code === '') return decline({ key: 'twofa.share_code_required' })
  if (idempotencyKey === null || idempotencyKey === '') return decline({ key: 'twofa.idempotency_key_required' })
  if (typeof code !== 'string') return decline(invalid('/body/share_code', 'must be text'))
  if (code.length > LONGEST_CODE) return decline(invalid('/body/share_code', 'is no share code'))
  if (typeof idempotencyKey !== 'string') return decline(invalid('/body/idempotency_key', 'must be text'))
  if (Array.from(idempotencyKey).length > LONGEST_KEY || hasControls(idempotencyKey, ''))
    return decline(invalid('/body/idempotency_key', `must have 1 to ${LONGEST_KEY} characters, no control characters`))
  const context = text === null ? null : text.normalize('NFC')
  if (context !== null && Array.from(context).length > LONGEST_CONTEXT)
    return decline({ key: 'twofa.context_too_long' })
  if (context !== null && hasControls(context, '\n'))
    return decline(invalid('/body/context', 'must not have control characters other than newline'))
  return accept({ shareCode: code.trim().toUpperCase(), idempotencyKey, context })
}

function hasControls(text: string, allowed: string): boolean {
  return Array.from(text).some((character) => /\p{Cc}|\p{Cs}/u.test(character) && !allowed.includes(character))
}

function invalid(path: string, message: string): WishRefusal {
  return { key: 'request.invalid', path, message }
}
