import { accept, decline, type Result, Secret } from '@sealpost/kernel'

const TOKEN = /^[\x21-\x7e]{1,4096}$/

/** Null for a plugin without a token. */
export function readNewToken(given: unknown): Result<Secret<string> | null, 'invalid'> {
  return given === undefined || given === null ? accept(null) : readToken(given)
}

export type TokenChange = 'keep' | 'clear' | Secret<string>

/** The member must be there; an empty text keeps the stored token. */
export function readTokenChange(given: unknown): Result<TokenChange, 'invalid'> {
  if (given === '') return accept('keep')
  return given === null ? accept('clear') : readToken(given)
}

function readToken(given: unknown): Result<Secret<string>, 'invalid'> {
  return typeof given === 'string' && TOKEN.test(given) ? accept(new Secret(given)) : decline('invalid')
}
