import type { AccountKey } from '../keys/private-keys.ts'
import { PublicKey } from '../keys/public-key.ts'
import { SealingError } from '../keys/sealing-error.ts'
import type { CallOptions } from '../options.ts'
import { isFiles, plaintextOf, type PlainInput } from '../values/plain-input.ts'
import type { ConnectionRecord } from './connection-record.ts'
import type { CustomerSession } from './session.ts'

/** An answer that follows no field. */
export interface TypedAnswer {
  readonly slug: string
  readonly label: string
  readonly type: string
  readonly value: PlainInput
}

/** A record has room for so many characters of sealed values, next to its links. */
const MOST = 24_000

/**
 * What was typed for one service alone, sealed to the own key: the copy of the service opens for the service only, and a
 * record is signed but not sealed. Files are left out.
 */
export async function sealTyped(
  session: CustomerSession,
  answers: readonly TypedAnswer[],
  options?: CallOptions,
): Promise<Readonly<Record<string, string>>> {
  const key = await session.findKey()
  if (key === null) return {}
  const own = await PublicKey.import(key.publicKey)
  const sealed: Record<string, string> = {}
  for (const { slug, label, type, value } of answers) {
    if (isFiles(value)) continue
    const types = await session.types(options)
    sealed[slug] = await own.seal(plaintextOf(types, { what: label, type, isExact: false }, value))
  }
  return sealed
}

/** What has room, the newest first. */
export function keepTyped(
  newest: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  let left = MOST
  const older = Object.entries(before).filter(([slug]) => !(slug in newest))
  const kept = [...Object.entries(newest), ...older].filter(([, sealed]) => {
    left -= sealed.length
    return left >= 0
  })
  return Object.fromEntries(kept)
}

/** By slug. One that was sealed to another key is left out. */
export async function openTyped(
  key: AccountKey,
  { typed = {} }: ConnectionRecord,
  slugs: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const opened: Record<string, string> = {}
  for (const slug of slugs) {
    const sealed = typed[slug]
    const text = sealed === undefined ? null : await key.open(sealed).catch(orNull)
    if (text !== null) opened[slug] = text
  }
  return opened
}

function orNull(error: unknown): null {
  if (error instanceof SealingError) return null
  throw error
}
