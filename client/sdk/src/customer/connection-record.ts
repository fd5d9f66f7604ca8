import { newBinding, openRecord, sealRecord, signValue } from '@sealpost/crypto'
import { secretsOf } from '../keys/account-secrets.ts'
import { hostPlatform } from '../keys/host.ts'
import { orThrow } from '../keys/or-throw.ts'
import { type KeyPins, KeyChangedError } from '../keys/pins.ts'
import type { AccountKey } from '../keys/private-keys.ts'
import { fingerprintOf, PublicKey } from '../keys/public-key.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import type { OwnConnection } from './own-connections.ts'
import type { CustomerSession } from './session.ts'

/**
 * What a customer decided about a connection, in the words of the customer's own device. The
 * server stores it as `device_record` and cannot make one: it carries a MAC under a key that follows from the account's
 * private key, so every device of the account accepts it. A client without that key keeps it in its pins alone. Values
 * are sealed only to the key and for the fields that a record names.
 */
export interface ConnectionRecord {
  /** Names the connection in signatures. */
  readonly binding: string
  /** `COMPANYCODE/SERVICECODE`, as the user typed it. */
  readonly code: string
  /** Fingerprint of the service's key. */
  readonly service_key: string
  /** Rises with every change, so that an older record is recognised. */
  readonly rev: number
  /** Slug of the request field -> id of the own field that it follows. */
  readonly links: Readonly<Record<string, string>>
  /** Slug of the request field -> what was typed for this service alone, sealed to the own key. */
  readonly typed?: Readonly<Record<string, string>>
}

const PURPOSE = 'connection'
const ENDED = 'ended'

export function newRecord(
  session: CustomerSession,
  about: Pick<ConnectionRecord, 'code' | 'service_key' | 'links'>,
): ConnectionRecord {
  return { ...about, binding: newBinding(hostPlatform()), rev: session.now() }
}

/** The same connection with other links, and other typed values if they are given. */
export function nextRecord(
  session: CustomerSession,
  record: ConnectionRecord,
  links: ConnectionRecord['links'],
  typed: ConnectionRecord['typed'] = record.typed,
): ConnectionRecord {
  const rev = Math.max(record.rev + 1, session.now())
  return { ...record, links, rev, ...(typed === undefined ? {} : { typed }) }
}

/** The members of a request that store the record; none without a key. */
export async function recordMembers(
  session: CustomerSession,
  record: ConnectionRecord,
): Promise<{ readonly device_record?: string }> {
  const key = await session.findKey()
  if (key === null) return {}
  const { recordKey } = await secretsOf(key)
  return { device_record: await sealRecord(hostPlatform(), recordKey, PURPOSE, JSON.stringify(record)) }
}

export async function rememberRecord({ pins }: CustomerSession, id: string, record: ConnectionRecord): Promise<void> {
  await pins.set(nameOf(id), JSON.stringify(record))
}

/** A server that shows the connection again is not believed. */
export async function forgetRecord({ pins }: CustomerSession, id: string): Promise<void> {
  await pins.set(nameOf(id), ENDED)
}

/** The record of a connection; throws unless a device of this account made it. */
export async function trustedRecord(
  session: CustomerSession,
  { id, device_record: sent }: Pick<OwnConnection, 'id' | 'device_record'>,
): Promise<ConnectionRecord> {
  const known = await knownRecord(session.pins, id)
  const key = await session.findKey()
  const shown = key === null || typeof sent !== 'string' ? null : await openShown(key, id, sent)
  if (shown === null) {
    if (known !== null) return known
    throw new UntrustedAnswerError('connection_unknown', `connection ${id}`)
  }
  if (known === null) await rememberRecord(session, id, shown)
  if (known === null) return shown
  const isOlder = shown.rev < known.rev || shown.binding !== known.binding
  if (isOlder) throw new UntrustedAnswerError('connection_outdated', `connection ${id}`)
  if (shown.rev > known.rev) await rememberRecord(session, id, shown)
  return shown
}

/** Refuses a connection that this device has ended. */
export async function refuseEnded({ pins }: CustomerSession, id: string): Promise<void> {
  if ((await pins.get(nameOf(id))) === ENDED) throw new UntrustedAnswerError('connection_ended', `connection ${id}`)
}

/** Seals to the service of the record, and signs where the account has a key. */
export interface ServiceSeal {
  seal(slug: string, text: string): Promise<{ readonly value: string; readonly sender_signature?: string }>
}

/** `publicKey` is the server's: it must be the key of the record. */
export async function sealFor(
  session: CustomerSession,
  record: ConnectionRecord,
  publicKey: string,
): Promise<ServiceSeal> {
  const fingerprint = await fingerprintOf(publicKey)
  if (fingerprint !== record.service_key)
    throw new KeyChangedError(`service ${record.code}`, record.service_key, fingerprint)
  const sealing = await PublicKey.import(publicKey)
  const key = await session.findKey()
  const signer = key === null ? null : (await secretsOf(key)).signer
  return {
    async seal(slug, text) {
      const value = await sealing.seal(text)
      if (signer === null) return { value }
      const place = { binding: record.binding, recipient: fingerprint, slug }
      const signature = orThrow(await signValue(hostPlatform(), signer, place, value, session.now()))
      return { value, sender_signature: signature }
    },
  }
}

async function openShown(key: AccountKey, id: string, sent: string): Promise<ConnectionRecord> {
  const { recordKey } = await secretsOf(key)
  const text = await openRecord(hostPlatform(), recordKey, PURPOSE, sent)
  const record = text === null ? null : readRecord(text)
  if (record === null) throw new UntrustedAnswerError('connection_forged', `connection ${id}`)
  return record
}

async function knownRecord(pins: KeyPins, id: string): Promise<ConnectionRecord | null> {
  const pinned = await pins.get(nameOf(id))
  if (pinned === undefined) return null
  if (pinned === ENDED) throw new UntrustedAnswerError('connection_ended', `connection ${id}`)
  const record = readRecord(pinned)
  if (record === null) throw new TypeError(`the pin ${nameOf(id)} is damaged`)
  return record
}

function nameOf(id: string): string {
  return `connection:${id}`
}

function readRecord(text: string): ConnectionRecord | null {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return null
  const members: Readonly<Record<string, unknown>> = { ...value }
  const { binding, code, service_key, rev, links, typed } = members
  if (typeof binding !== 'string' || typeof code !== 'string' || typeof service_key !== 'string') return null
  if (typeof rev !== 'number' || typeof links !== 'object' || links === null) return null
  const isWithTyped = typeof typed === 'object' && typed !== null
  return { binding, code, service_key, rev, links: textsOf(links), ...(isWithTyped ? { typed: textsOf(typed) } : {}) }
}

function textsOf(members: object): Readonly<Record<string, string>> {
  const pairs = Object.entries(members).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return Object.fromEntries(pairs)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
