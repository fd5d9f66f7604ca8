import { type AttestationMethod, attestationMethods } from '@sealpost/field-types'
import { customSetting, type Setting } from '@sealpost/kernel'

/** A provider that signs statements, as the operator has configured it. */
export interface StatementVerifier {
  readonly name: string
  readonly method: AttestationMethod
  /** The issuer of its statements, and the address to which devices send their challenge. */
  readonly issuer: string
  readonly keys: readonly VerifierKey[]
}

/** A public key of P-256. */
export interface VerifierKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly kid?: string
}

const NAME = /^(?!platform_)[a-z][a-z0-9_]{0,63}$/
const COORDINATE = /^[A-Za-z0-9_-]{43}$/

/** JSON contains commas, so entries are separated by semicolons. */
export function verifiersSetting({ about }: { about: string }): Setting<readonly StatementVerifier[]> {
  return customSetting(
    { about, fallback: '' },
    'a list of `name|method|issuer address|public JWK or JWKS`, separated by semicolons',
    parseVerifiers,
  )
}

export function parseVerifiers(text: string): readonly StatementVerifier[] {
  const parts = text.split(';').map((part) => part.trim())
  const verifiers = parts.filter((part) => part !== '').map(parseVerifier)
  if (new Set(verifiers.map(({ name }) => name)).size !== verifiers.length)
    throw new Error('two verifiers have the same name')
  return verifiers
}

function parseVerifier(text: string): StatementVerifier {
  const [name = '', named = '', issuer = '', ...rest] = text.split('|')
  const method = attestationMethods.find((known) => known === named)
  if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not a name of lower-case letters, digits and _`)
  if (method === undefined) throw new Error(`${name}: the method is one of ${attestationMethods.join(', ')}`)
  if (!/^https?:\/\/[^\s]+$/.test(issuer)) throw new Error(`${name}: the issuer is not an http(s) address`)
  return { name, method, issuer, keys: parseKeys(name, rest.join('|')) }
}

function parseKeys(name: string, text: string): readonly VerifierKey[] {
  const document: unknown = JSON.parse(text)
  const list = isRecord(document) && Array.isArray(document['keys']) ? document['keys'] : [document]
  const keys = list.map(readKey)
  if (keys.length === 0) throw new Error(`${name}: no key`)
  return keys.map((key) => {
    if (key === null) throw new Error(`${name}: a key is not the public half of a P-256 key, as a JWK`)
    return key
  })
}

/** Null also for a private key, which does not belong into a setting. */
function readKey(value: unknown): VerifierKey | null {
  if (!isRecord(value) || 'd' in value) return null
  const { kty, crv, x, y, kid } = value
  if (kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string') return null
  if (!COORDINATE.test(x) || !COORDINATE.test(y)) return null
  return { kty, crv, x, y, ...(typeof kid === 'string' ? { kid } : {}) }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
