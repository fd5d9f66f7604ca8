import { isVouchedKey } from '@sealpost/crypto'
import { type KeyRollover, PLUGIN_LIMITS } from '@sealpost/kernel'
import { isRecord } from '../exchange.ts'
import { hostPlatform } from '../keys/host.ts'
import type { KeyPins } from '../keys/pins.ts'
import { fingerprintOf } from '../keys/public-key.ts'

/** What decides to which key of a plugin questions are sealed. */
export interface PluginTrust {
  readonly pins: KeyPins
  /** The company whose plugins these are, as pins name it. */
  readonly company: string
  /** The caller wants every new key to be taken. */
  readonly acceptsNewKeys: boolean
}

/** A key as the server or the forwarder names it. */
export interface OfferedKey {
  readonly id: string
  /** Null for a plugin that does not respond. */
  readonly public_key: string | null
  readonly key_rollovers?: unknown
}

export type KeyState =
  | { readonly kind: 'none' }
  | { readonly kind: 'trusted'; readonly publicKey: string }
  /** Nothing that this side knows vouches for it. */
  | { readonly kind: 'changed'; readonly offered: string; readonly change: PluginKeyChange }

/** Fingerprints, to compare with what the company says. */
export interface PluginKeyChange {
  readonly known: string
  readonly received: string
}

interface Pin {
  /** The public key itself: a fingerprint verifies no signature. */
  readonly key: string
  /** Fingerprints of the keys before it. A pass that was made earlier may still name one. */
  readonly former: readonly string[]
}

/**
 * Holds a key against the pin. The first one is pinned; another one must be vouched for by the pinned key, through a chain
 * of signatures, or the caller takes every key. A pass may be older than the pin: then the pinned key is the answer.
 */
export async function judgeKey(trust: PluginTrust, offer: OfferedKey, from: 'pass' | 'refusal'): Promise<KeyState> {
  const { id, public_key: offered } = offer
  if (offered === null) return { kind: 'none' }
  const received = await fingerprintOf(offered)
  const pin = await readPin(trust, id)
  if (pin === null) return pinKey(trust, id, { key: offered, former: [] })
  if (pin.key === offered) return { kind: 'trusted', publicKey: offered }
  if (from === 'pass' && pin.former.includes(received)) return { kind: 'trusted', publicKey: pin.key }
  const known = await fingerprintOf(pin.key)
  const rollovers = readRollovers(offer.key_rollovers)
  const isVouched = trust.acceptsNewKeys || (await isVouchedKey(hostPlatform(), pin.key, offered, rollovers))
  if (!isVouched) return { kind: 'changed', offered, change: { known, received } }
  const former = [...pin.former, known].filter((one) => one !== received).slice(-PLUGIN_LIMITS.keyRollovers)
  return pinKey(trust, id, { key: offered, former })
}

/** The person has compared the fingerprint and confirmed the key. */
export function confirmKey(trust: PluginTrust, id: string, offered: string): Promise<KeyState> {
  return pinKey(trust, id, { key: offered, former: [] })
}

async function pinKey({ pins, company }: PluginTrust, id: string, pin: Pin): Promise<KeyState> {
  await pins.set(nameOf(company, id), JSON.stringify(pin))
  return { kind: 'trusted', publicKey: pin.key }
}

async function readPin({ pins, company }: PluginTrust, id: string): Promise<Pin | null> {
  const text = await pins.get(nameOf(company, id))
  if (text === undefined) return null
  const pin = readJson(text)
  if (isRecord(pin) && typeof pin['key'] === 'string' && isTexts(pin['former']))
    return { key: pin['key'], former: pin['former'] }
  throw new TypeError(`the pin ${nameOf(company, id)} is damaged`)
}

function nameOf(company: string, id: string): string {
  return `plugin:${company}/${id}`
}

/** Entries of another form make no chain. */
function readRollovers(value: unknown): readonly KeyRollover[] {
  if (!Array.isArray(value)) return []
  const entries: readonly unknown[] = value
  return entries.every(isRollover) ? entries : []
}

function isRollover(entry: unknown): entry is KeyRollover {
  return isRecord(entry) && isTexts([entry['previous_sha256'], entry['public_key'], entry['signature']])
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
