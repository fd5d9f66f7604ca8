import type { Installation } from '@sealpost/testkit'
import { type DigitsNeedle, digitsNeedle, type Needle, needle, tokenNeedles } from './needles.ts'

/** Everything of a journey that must be written down nowhere. */
export interface Safe {
  keep(name: string, secret: string | Uint8Array): void
  /** Also each of its parts: a region or a header in front is no secret, the rest is. */
  keepToken(name: string, token: string): void
  keepDigits(name: string, digits: string): void
  readonly needles: readonly (Needle | DigitsNeedle)[]
}

export function openSafe(): Safe {
  const needles: (Needle | DigitsNeedle)[] = []
  return {
    keep: (name, secret) => void needles.push(needle(name, secret)),
    keepToken: (name, token) => void needles.push(...tokenNeedles(name, token)),
    keepDigits: (name, digits) => void needles.push(digitsNeedle(name, digits)),
    needles,
  }
}

/** What an operator hands to the processes: rings, signing keys, passwords of engines. */
export function keepSettings(safe: Safe, { environment }: Installation): void {
  const { frontDoor, eu } = environment
  safe.keep('DIRECTORY_KEY', frontDoor['DIRECTORY_KEY'] ?? '')
  for (const name of ['SECRET_PEPPER', 'DATA_KEY']) safe.keep(name, (eu[name] ?? '').split(':')[1] ?? '')
  safe.keep('S3_SECRET_ACCESS_KEY', eu['S3_SECRET_ACCESS_KEY'] ?? '')
  for (const [, exponent] of (frontDoor['SIGNING_KEYS'] ?? '').matchAll(/"d":"([^"]+)"/g))
    safe.keep('a private signing key', exponent ?? '')
}
