import type { Installation } from '@sealpost/testkit'
import { type DigitsNeedle, digitsNeedle, type Needle, needle, tokenNeedles } from './needles.ts'

/** The secrets of a run, none of which may be written anywhere. */
export interface SecretSet {
  keep(name: string, secret: string | Uint8Array): void
  /** With each of its parts: a region or a header in front is no secret, the rest is. */
  keepToken(name: string, token: string): void
  keepDigits(name: string, digits: string): void
  readonly needles: readonly (Needle | DigitsNeedle)[]
}

export function openSecretSet(): SecretSet {
  const needles: (Needle | DigitsNeedle)[] = []
  return {
    keep: (name, secret) => void needles.push(needle(name, secret)),
    keepToken: (name, token) => void needles.push(...tokenNeedles(name, token)),
    keepDigits: (name, digits) => void needles.push(digitsNeedle(name, digits)),
    needles,
  }
}

/** The secrets in the settings: key lists, signing keys, passwords of engines. */
export function keepSettings(secrets: SecretSet, { environment }: Pick<Installation, 'environment'>): void {
  const { frontDoor, eu } = environment
  secrets.keep('DIRECTORY_KEY', frontDoor['DIRECTORY_KEY'] ?? '')
  for (const name of ['SECRET_PEPPER', 'DATA_KEY']) secrets.keep(name, (eu[name] ?? '').split(':')[1] ?? '')
  // The middle of the PEM: its ends are the same in every key.
  secrets.keep('SEAL_KEY', (eu['SEAL_KEY'] ?? '').split('\n')[1] ?? '')
  secrets.keep('S3_SECRET_ACCESS_KEY', eu['S3_SECRET_ACCESS_KEY'] ?? '')
  for (const [, exponent] of (frontDoor['SIGNING_KEYS'] ?? '').matchAll(/"d":"([^"]+)"/g))
    secrets.keep('a private signing key', exponent ?? '')
}
