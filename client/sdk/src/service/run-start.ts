import { connectionSources, type Definition, partyTags } from '@sealpost/flow/run'
import { documentEnvelope } from '../documents/document-file.ts'
import type { FileAnswer, Files } from '../files/files.ts'
import { FlowError } from '../flows/flow-error.ts'
import type { Keys } from '../keys/keys.ts'
import type { ServiceKey } from '../keys/private-keys.ts'
import { fingerprintOf, PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import type { ReadPublishedFlowAnswer, StartRunBody } from '../shapes.generated.ts'
import type { Values } from '../values/values.ts'
import type { Connection, Connections } from './connections.ts'
import type { RunTargets } from './run-targets.ts'

/** What the start of a run reads from. */
export interface StartSources {
  readonly connections: Connections
  readonly keys: Keys
  readonly values: Values
  readonly files: Files
  readonly companyUserId: () => Promise<string>
  readonly stage: (body: {
    readonly source_user_id: string
    readonly value: string
  }) => Promise<{ readonly file: string }>
}

type Prepared = Pick<StartRunBody, 'tag_values' | 'source_files'>

/** The values and files of customers that this version of the flow shows or prints, sealed for every participant. */
export async function prepareStart(
  sources: StartSources,
  definition: Definition,
  { request_field_types: types }: Pick<ReadPublishedFlowAnswer, 'request_field_types'>,
  targets: RunTargets,
  key: ServiceKey,
  options: CallOptions,
): Promise<Prepared> {
  const files = connectionSources(definition)
  const tags = partyTags(definition).filter(({ party }) => !isOwner(definition, party))
  if (files.length === 0 && tags.length === 0) return {}
  const companyUserId = await sources.companyUserId()
  const bound = await bindParties(sources, definition, targets, companyUserId, options)
  const readers = await readersOf(sources, bound, companyUserId, key, options)
  const tagValues = await sealTags(sources, tags, { bound, readers, types, key })
  const staged = await stageFiles(sources, files, { bound, readers, key, options })
  return {
    ...(tagValues === null ? {} : { tag_values: tagValues }),
    ...(staged.length === 0 ? {} : { source_files: staged }),
  }
}

function isOwner({ parties }: Definition, key: string): boolean {
  return parties.find((party) => party.key === key)?.type === 'owner'
}

type Bound = ReadonlyMap<string, Connection>

/** The connection of each party that is not the own company. */
async function bindParties(
  { connections }: StartSources,
  { parties }: Definition,
  { target, targets = {}, bindings = {} }: RunTargets,
  companyUserId: string,
  options: CallOptions,
): Promise<Bound> {
  const bound = new Map<string, Connection>()
  for (const { key, type } of parties) {
    const user = type === undefined ? bindings[key] : undefined
    if (type === 'owner' || user === companyUserId) continue
    const named = targets[key] ?? target
    if (user !== undefined) bound.set(key, await connectionOf(connections, user, options))
    else if (named !== undefined) bound.set(key, await connections.get(named.connection_id, options))
  }
  return bound
}

async function connectionOf(connections: Connections, userId: string, options: CallOptions): Promise<Connection> {
  for await (const connection of connections.list(options)) if (connection.user_id === userId) return connection
  throw new TypeError(`bindings name ${userId}, who is not connected to the service`)
}

interface Reader {
  readonly userId: string
  /** `company` or the user id. */
  readonly name: string
  readonly key: PublicKey
  readonly fingerprint: string
}

async function readersOf(
  { keys }: StartSources,
  bound: Bound,
  companyUserId: string,
  { publicKey }: ServiceKey,
  options: CallOptions,
): Promise<readonly Reader[]> {
  const users = [...new Set([...bound.values()].map(({ user_id: userId }) => userId))]
  const found = await keys.readMany(users, options)
  const readers = [await readerOf('company', companyUserId, publicKey)]
  for (const userId of users) {
    const theirs = found.get(userId)
    if (theirs === undefined) throw new FlowError('key_missing', `user ${userId}`)
    readers.push(await readerOf(userId, userId, theirs))
  }
  return readers
}

async function readerOf(name: string, userId: string, publicKey: string): Promise<Reader> {
  return { name, userId, key: await PublicKey.import(publicKey), fingerprint: await fingerprintOf(publicKey) }
}

interface Starting {
  readonly bound: Bound
  readonly readers: readonly Reader[]
  readonly key: ServiceKey
}

interface TagValue {
  readonly tag: string
  readonly userId: string
  readonly isPrivate: boolean
  readonly value: { readonly v: string; readonly t: string | null }
}

/** A value that is absent or does not open is left out. A private one is shown to its customer and to the company. */
async function sealTags(
  sources: StartSources,
  tags: ReturnType<typeof partyTags>,
  { bound, readers, types, key }: Starting & { readonly types: Readonly<Record<string, string>> },
): Promise<NonNullable<Prepared['tag_values']> | null> {
  const shown = tags.filter(({ party }) => bound.has(party))
  if (shown.length === 0) return null
  const found: TagValue[] = []
  for (const { party, field } of shown) {
    const connection = bound.get(party)
    if (connection === undefined) continue
    const value = (await sources.values.decrypt(connection, key))[field]
    if (value === undefined || !('text' in value)) continue
    const isPrivate = connection.values_private[field] !== false
    const entry = { v: value.text, t: types[field] ?? null }
    found.push({ tag: `${party}.${field}`, userId: connection.user_id, isPrivate, value: entry })
  }
  const entries: [string, NonNullable<Prepared['tag_values']>[string]][] = []
  for (const reader of readers) entries.push([reader.name, await sealFor(reader, found)])
  return Object.fromEntries(entries)
}

async function sealFor({ name, userId, key, fingerprint }: Reader, found: readonly TagValue[]) {
  const open = found.filter(({ isPrivate }) => !isPrivate)
  const own = found.filter((one) => one.isPrivate && (name === 'company' || one.userId === userId))
  const sealed: [string, string][] = []
  for (const { tag, value } of own) sealed.push([tag, await key.seal(JSON.stringify(value))])
  return {
    recipient_pubkey_sha256: fingerprint,
    public: await key.seal(JSON.stringify(Object.fromEntries(open.map(({ tag, value }) => [tag, value])))),
    public_tags: open.map(({ tag }) => tag),
    private: Object.fromEntries(sealed),
  }
}

/** One copy per participant of each file that its customer has shared; all are sealed before the first is staged. */
async function stageFiles(
  sources: StartSources,
  wanted: ReturnType<typeof connectionSources>,
  { bound, readers, key, options }: Starting & { readonly options: CallOptions },
): Promise<NonNullable<Prepared['source_files']>> {
  const copies: { source_key: string; for_user_id: string; source_user_id: string; value: string }[] = []
  for (const { party, request_slug: slug, source_key } of wanted) {
    const connection = bound.get(party)
    if (connection?.values[slug] === undefined) continue
    const text = envelopeText(await sources.files.readShared(connection, slug, key, options))
    for (const reader of readers) {
      const value = await reader.key.seal(text)
      copies.push({ source_key, for_user_id: reader.userId, source_user_id: connection.user_id, value })
    }
  }
  const staged: NonNullable<Prepared['source_files']>[number][] = []
  for (const { source_key, for_user_id, source_user_id, value } of copies) {
    const { file } = await sources.stage({ source_user_id, value })
    staged.push({ source_key, for_user_id, file })
  }
  return staged
}

/** A file that is not private comes as bytes: it gets the envelope that a device would have sealed. */
function envelopeText({ text, files: [file] }: FileAnswer): string {
  if (text !== null) return text
  if (file === undefined) throw new TypeError('a shared file has no content')
  const { bytes, mimeType, originalName } = file
  return documentEnvelope({ bytes, mimeType, originalName: originalName ?? 'document.pdf' })
}
