import type { Brand } from './brand.ts'
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

export type UserId = Brand<string, 'UserId'>
export type ServiceId = Brand<string, 'ServiceId'>
export type ConnectionId = Brand<string, 'ConnectionId'>
/** A request row of a service: the slot that a customer answers. */
export type RequestFieldId = Brand<string, 'RequestFieldId'>
/** A contact field: a value that an account fills in once and shares often. */
export type FieldId = Brand<string, 'FieldId'>
export type EventId = Brand<string, 'EventId'>
/** One endpoint of a service that events are posted to. */
export type WebhookId = Brand<string, 'WebhookId'>
export type ClientId = Brand<string, 'ClientId'>
/** Identifies one HTTP call in headers, logs and traces. */
export type RequestId = Brand<string, 'RequestId'>
/** The short name of a cell: `eu`, `us`. */
export type RegionCode = Brand<string, 'RegionCode'>

export type ClientKind = 'svc' | 'acct' | 'idw'

/** The source of all new identifiers, so that tests can pass in a predictable one. */
export interface Ids {
  /** A lower-case UUIDv7; ids of one process sort in the order they were made. */
  uuid<Id extends string = string>(): Id
  clientId(kind: ClientKind): ClientId
  /** 43 characters: base64url of 32 random bytes. */
  clientSecret(): string
  /** The public code of a person or company: 6 characters, without those that are easily confused (0, O, 1, I). */
  shareCode(): string
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const CLIENT_ID = /^(svc|acct|idw)_[A-Za-z0-9]{24}$/
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const SHARE_CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LAST_SEQUENCE = 0xfff

export function parseUuid<Id extends string>(text: string): Id | null {
  return isUuid<Id>(text) ? text : null
}

export function parseClientId(text: string): ClientId | null {
  return isClientId(text) ? text : null
}

export function createIds(clock: Clock, random: Random): Ids {
  let lastMs = -1
  let sequence = 0
  return {
    uuid<Id extends string>(): Id {
      const nowMs = clock.now()
      if (nowMs > lastMs) {
        lastMs = nowMs
        sequence = 0
      } else if (sequence === LAST_SEQUENCE) {
        // 4096 ids in one millisecond: borrow the next one, so that order holds.
        lastMs += 1
        sequence = 0
      } else {
        sequence += 1
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made to the pattern that parseUuid accepts
      return uuidV7(lastMs, sequence, random.bytes(8)) as Id
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made to the pattern that parseClientId accepts
    clientId: (kind) => `${kind}_${alphanumeric(24, random)}` as ClientId,
    clientSecret: () => base64url(random.bytes(32)),
    // 32 letters: five bits of each byte choose one, all with the same probability.
    shareCode: () => Array.from(random.bytes(6), (value) => SHARE_CODE_LETTERS.charAt(value & 31)).join(''),
  }
}

function isUuid<Id extends string>(text: string): text is Id {
  return UUID_V7.test(text)
}

function isClientId(text: string): text is ClientId {
  return CLIENT_ID.test(text)
}

function uuidV7(ms: number, sequence: number, tail: Uint8Array): string {
  const time = hex(ms, 12)
  const variant = hex(0x8000 | ((byte(tail, 0) & 0x3f) << 8) | byte(tail, 1), 4)
  let node = ''
  for (let i = 2; i < 8; i += 1) node += hex(byte(tail, i), 2)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(sequence, 3)}-${variant}-${node}`
}

function alphanumeric(length: number, random: Random): string {
  let text = ''
  while (text.length < length) {
    for (const value of random.bytes(length)) {
      // 248 is the largest multiple of 62 below 256: anything above would favour the first letters.
      if (value < 248 && text.length < length) text += ALPHANUMERIC.charAt(value % 62)
    }
  }
  return text
}

function base64url(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let width = 0
  for (const value of bytes) {
    bits = (bits << 8) | value
    width += 8
    while (width >= 6) {
      width -= 6
      text += BASE64URL.charAt((bits >> width) & 0x3f)
    }
    bits &= 0xff
  }
  return width > 0 ? text + BASE64URL.charAt((bits << (6 - width)) & 0x3f) : text
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

function byte(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0
}
