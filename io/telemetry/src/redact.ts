import { createBoundedCache } from '@sealpost/kernel'
import { describeError } from './describe-error.ts'

const CENSORED = '[redacted]'
const DEPTH_LIMIT = 6
const LIST_LIMIT = 20
const TEXT_LIMIT = 2_000
const REMEMBERED_NAMES = 2_000

/**
 * Compared without case, `_` and `-`, so that a header, a wire member and a variable of one meaning match one entry.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'answers',
  'apikey',
  'assertion',
  'authorization',
  'bearer',
  'body',
  'clientassertion',
  'code',
  'cookie',
  'digits',
  'displayname',
  'email',
  'matchingdigits',
  'payload',
  'phone',
  'plaintext',
  'proxyauthorization',
  'query',
  'sharecode',
  'value',
  'values',
])
const SECRET_ENDINGS =
  /(secret|secretonce|password|passphrase|passcode|privatekey|verifier|otk|token|tokens|cookie|credentials)$/

/**
 * The printable part of `fields`: members with a secret-bearing name are censored at every depth, errors are described
 * without the request they carry, bytes are counted. Flat fields without a finding, the usual case, are not copied.
 */
export function redact(fields: object): object {
  if (fields instanceof Error) return { err: describeError(fields) }
  const members = membersOf(fields)
  let copy: Record<string, unknown> | null = null
  for (const name in members) {
    const shown = redactMember(name, members[name], 1)
    if (shown === members[name]) continue
    copy ??= { ...members }
    copy[name] = shown
  }
  return copy ?? fields
}

function redactMember(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'boolean' || value === null || value === undefined) return value
  if (isSecretName(name)) return CENSORED
  if (typeof value === 'string') return value.length > TEXT_LIMIT ? `${value.slice(0, TEXT_LIMIT)}…` : value
  return typeof value === 'object' ? redactObject(value, depth) : value
}

function redactObject(value: object, depth: number): unknown {
  if (value instanceof Error) return describeError(value)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  // A query string may carry a code or a token.
  if (value instanceof URL) return value.origin + value.pathname
  if (depth >= DEPTH_LIMIT) return '[deeper]'
  if (hasOwnText(value)) return redactMember('', value.toJSON(), depth + 1)
  if (Array.isArray(value)) return redactList(value, depth)
  const shown: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) shown[name] = redactMember(name, member, depth + 1)
  return shown
}

function hasOwnText(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

function redactList(list: readonly unknown[], depth: number): unknown {
  const shown = list.slice(0, LIST_LIMIT).map((item) => redactMember('', item, depth + 1))
  return list.length > LIST_LIMIT ? [...shown, `[${list.length - LIST_LIMIT} more]`] : shown
}

const verdicts = createBoundedCache<string, boolean>({ most: REMEMBERED_NAMES })

function isSecretName(name: string): boolean {
  const known = verdicts.get(name)
  if (known !== undefined) return known
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '')
  const verdict = SECRET_NAMES.has(plain) || SECRET_ENDINGS.test(plain)
  verdicts.set(name, verdict)
  return verdict
}

function membersOf(value: object): Readonly<Record<string, unknown>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object can be read by name; Object.entries costs twice as much
  return value as Readonly<Record<string, unknown>>
}
