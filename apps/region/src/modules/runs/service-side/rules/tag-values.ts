import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { type Definition, partyTags } from '@sealpost/flow'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { RunTagValues } from '@sealpost/protocol'
import type { BoundParty } from '../model.ts'

const platform = createCryptoPlatform(globalThis)

export type TagRefusal =
  | { readonly key: 'flows.tag_values_invalid' }
  | { readonly key: 'flows.tag_values_stale'; readonly stale: string[] }

export interface TagFacts {
  readonly parties: readonly BoundParty[]
  /** The fingerprint of the current key by recipient: `company` or the id of a user. */
  readonly fingerprints: ReadonlyMap<string, string>
  readonly hasVersion: boolean
  readonly given: unknown
}

/** The names of customers' values in the texts of a flow, by the user that the party is bound to. */
export function customerTags(definition: Definition, parties: readonly BoundParty[]): ReadonlyMap<string, string> {
  const users = new Map(
    parties.flatMap(({ partyKey, userId, customer }) => (customer === null ? [] : [[partyKey, userId] as const])),
  )
  return new Map(
    partyTags(definition).flatMap(({ party, field }) => {
      const user = users.get(party)
      return user === undefined ? [] : [[`${party}.${field}`, user] as const]
    }),
  )
}

/** The entry of each recipient; null where the texts name no value of a customer. */
export function readTagValues(
  definition: Definition,
  facts: TagFacts,
): Result<ReadonlyMap<string, RunTagValues> | null, TagRefusal> {
  const tags = customerTags(definition, facts.parties)
  if (tags.size === 0) return accept(null)
  const { given, fingerprints } = facts
  if (!facts.hasVersion || !isObject(given)) return invalid()
  const stale = [...fingerprints].filter(([recipient, current]) => isStale(given[recipient], current))
  if (stale.length > 0) return decline({ key: 'flows.tag_values_stale', stale: stale.map(([recipient]) => recipient) })
  if (Object.keys(given).some((recipient) => !fingerprints.has(recipient))) return invalid()
  const entries = new Map<string, RunTagValues>()
  for (const recipient of fingerprints.keys()) {
    const entry = readEntry(given[recipient], recipient, tags)
    if (entry === null) return invalid()
    entries.set(recipient, entry)
  }
  return accept(entries)
}

function isStale(entry: unknown, current: string): boolean {
  const said = isObject(entry) ? entry['recipient_pubkey_sha256'] : undefined
  return typeof said === 'string' && said !== current
}

/** Null for a malformed entry, and for one that shows a customer the private value of another. */
function readEntry(entry: unknown, recipient: string, tags: ReadonlyMap<string, string>): RunTagValues | null {
  if (!isObject(entry) || typeof entry['recipient_pubkey_sha256'] !== 'string') return null
  const { public: open, public_tags: openTags, private: closed } = entry
  if (!isSealed(open) || !Array.isArray(openTags) || !isObject(closed)) return null
  const names = openTags.filter((tag): tag is string => typeof tag === 'string' && tags.has(tag))
  if (names.length !== openTags.length || new Set(names).size !== names.length) return null
  const values: Record<string, string> = {}
  for (const [tag, value] of Object.entries(closed)) {
    const user = tags.get(tag)
    const mayRead = user !== undefined && (recipient === 'company' || recipient === user)
    if (!mayRead || !isSealed(value) || names.includes(tag)) return null
    values[tag] = value
  }
  return { public: open, public_tags: names, private: values }
}

function isSealed(value: unknown): value is string {
  return typeof value === 'string' && isWrapper(platform, value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(): Result<never, TagRefusal> {
  return decline({ key: 'flows.tag_values_invalid' })
}
