import { connectionSources, type Definition, definitionToJson } from '@sealpost/flow'
import { type ConnectionId, formatInstant, parseUuid, type UserId } from '@sealpost/kernel'
import { sha256Of } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import { type FlowRun, refuse, type RunStart, type RunTagValues } from '@sealpost/protocol'
import {
  findConnectionOf,
  hasAnswered,
  hasErased,
  lockConnections,
  type StoredConnection,
} from '../../../connections/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import { type FlowVersion, parseFlowName, requirePublished, namedPlugins } from '../../../flows/index.ts'
import { lockPluginFacts } from '../../../plugins/index.ts'
import { findService, type ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { BoundParty, RunId, RunSource, StoredRun } from '../model.ts'
import { bindParties } from '../rules/bind-parties.ts'
import {
  type FoundSource,
  matchSources,
  type NeededSource,
  readGivenSources,
  sourceProblem,
} from '../rules/source-files.ts'
import { awaiting } from '../rules/status.ts'
import { readTagValues } from '../rules/tag-values.ts'
import { lockStaged, useSource } from '../store/files.ts'
import { bindingsOf, runToWire } from '../wire.ts'
import { readOwnerTagValues } from './owner-tag-values.ts'
import { recordRun, usersOf } from './record-run.ts'

interface Target {
  readonly connection_id: string
}

export interface Trigger {
  readonly target?: Target
  readonly targets?: Readonly<Record<string, Target>>
  readonly bindings?: Readonly<Record<string, string>>
  readonly flow_version?: number
  readonly tag_values?: unknown
  readonly source_files?: unknown
}

/** Everything is checked and written in one transaction: a refusal leaves nothing. */
export function startRun(
  context: ServiceSideContext,
  service: ServiceName,
  flowId: string,
  trigger: Trigger,
): Promise<FlowRun> {
  const name = parseFlowName(service, flowId)
  return context.database.transaction(async (tx) => {
    const version = await requirePublished(tx, name)
    if (trigger.flow_version !== undefined && trigger.flow_version !== version.version)
      throw refuse('flows.version_changed')
    await keepPlugins(tx, version)
    const { parties, connections } = await bindTrigger(tx, version, trigger)
    const tags = await checkTags(tx, version, { parties, connections, trigger })
    const sources = await checkSources(tx, version, parties, trigger)
    const run = newRun(context, version, parties, {
      ownerTagValues: await readOwnerTagValues(tx, version.definition, parties, service.companyId),
      tagValues: tags?.get('company') ?? null,
    })
    const events = await recordRun(context, tx, {
      before: null,
      after: run,
      startOf: (userId) => startOf(version.definition, run, { userId, tags, sources }),
    })
    const used = sources.map(({ file, sourceKey, forUserId }): RunSource => ({
      ...file,
      runId: run.id,
      sourceKey,
      forUserId,
    }))
    for (const source of used) await useSource(tx, source)
    await appendEvents(context, tx, events)
    const answer = runToWire(run, version.definition, [], used, [])
    await tx.storeAnswer(answer)
    return answer
  })
}

/** No plugin of the version is deleted before the run that needs it is there. */
async function keepPlugins(tx: Tx, { companyId, serviceId, flowId, definition }: FlowVersion): Promise<void> {
  const ids = namedPlugins(definition)
  if (ids.length === 0 || (await lockPluginFacts(tx, companyId, ids)).size === ids.length) return
  // Deleted since the version was read, which is no longer the latest one then.
  await requirePublished(tx, { companyId, serviceId, flowId })
  throw refuse('flows.version_changed')
}

interface Bound {
  readonly parties: readonly BoundParty[]
  readonly connections: ReadonlyMap<UserId, StoredConnection>
}

/** The connections stay locked, so that none ends before the run takes part in it. */
async function bindTrigger(
  tx: Tx,
  { companyId, serviceId, definition }: FlowVersion,
  trigger: Trigger,
): Promise<Bound> {
  const targets = [...Object.values(trigger.targets ?? {}), ...(trigger.target === undefined ? [] : [trigger.target])]
  const users = [...new Set(Object.values(trigger.bindings ?? {}))].flatMap((text) => parseUuid<UserId>(text) ?? [])
  const ids = new Set(targets.map(({ connection_id: id }) => readTarget(id)))
  for (const user of users) {
    const connection = await findConnectionOf(tx, serviceId, user)
    if (connection !== null) ids.add(connection.id)
  }
  const locked = await lockConnections(tx, serviceId, [...ids])
  const gone = [...ids].filter((id) => !locked.some((one) => one.id === id))
  const strangers = users.filter((user) => user !== companyId && !locked.some(({ customerId }) => customerId === user))
  if (gone.length + strangers.length > 0 && (await hasErased(tx, serviceId, gone, strangers)))
    throw refuse('account.counterparty_deleted')
  const connectionOf = (target: Target): StoredConnection => {
    const connection = locked.find(({ id }) => id === target.connection_id)
    if (connection === undefined) throw refuse('flows.connection_not_found')
    return connection
  }
  const bound = bindParties(definition, {
    companyId,
    target: trigger.target === undefined ? null : connectionOf(trigger.target),
    targets: new Map(Object.entries(trigger.targets ?? {}).map(([key, target]) => [key, connectionOf(target)])),
    bindings: new Map(Object.entries(trigger.bindings ?? {})),
    customers: new Map(locked.map((one) => [one.customerId, one])),
  })
  if (!bound.ok) throw refuse(bound.refusal)
  return { parties: bound.value, connections: new Map(locked.map((one) => [one.customerId, one])) }
}

function readTarget(text: string): ConnectionId {
  const id = parseUuid<ConnectionId>(text)
  if (id === null) throw refuse('flows.connection_not_found')
  return id
}

async function checkTags(
  tx: Tx,
  { companyId, serviceId, definition }: FlowVersion,
  { parties, connections, trigger }: Bound & { readonly trigger: Trigger },
): Promise<ReadonlyMap<string, RunTagValues> | null> {
  const service = await findService(tx, companyId, serviceId)
  if (service === null) throw refuse('flows.not_found')
  const fingerprints = new Map([['company', fingerprintOf(service.publicKey)]])
  for (const { userId, customer } of parties) {
    const key = connections.get(userId)?.publicKey
    if (customer !== null && key !== undefined) fingerprints.set(userId, fingerprintOf(key))
  }
  const hasVersion = trigger.flow_version !== undefined
  const tags = readTagValues(definition, { parties, fingerprints, hasVersion, given: trigger.tag_values })
  if (tags.ok) return tags.value
  const { refusal } = tags
  throw refusal.key === 'flows.tag_values_stale' ? refuse(refusal.key, { stale: refusal.stale }) : refuse(refusal.key)
}

function fingerprintOf(publicKey: string): string {
  return sha256Of(Buffer.from(publicKey, 'base64'))
}

async function checkSources(
  tx: Tx,
  version: FlowVersion,
  parties: readonly BoundParty[],
  trigger: Trigger,
): Promise<readonly FoundSource[]> {
  const needed = await neededSources(tx, version, parties)
  const given = readGivenSources(trigger.source_files)
  const isUnversioned = given !== null && given.length > 0 && trigger.flow_version === undefined
  if (given === null || isUnversioned)
    throw refuse('flows.source_files_invalid', sourceProblem(needed, given?.map(({ file }) => file) ?? []))
  const staged = await lockStaged(
    tx,
    version.serviceId,
    given.map(({ file }) => file),
  )
  const ofFlow = staged.filter(({ flowId }) => flowId === version.flowId)
  const found = matchSources(needed, given, new Map(ofFlow.map((file) => [file.id, file])))
  if (!found.ok) throw refuse('flows.source_files_invalid', found.refusal)
  return found.value
}

/** One copy per user of each file that a rule names and its customer has shared. */
async function neededSources(
  tx: Tx,
  { companyId, serviceId, definition }: FlowVersion,
  parties: readonly BoundParty[],
): Promise<readonly NeededSource[]> {
  const needed: NeededSource[] = []
  for (const { party, request_slug: slug, source_key: sourceKey } of connectionSources(definition)) {
    const bound = parties.find(({ partyKey }) => partyKey === party)
    if (bound === undefined || bound.customer === null) continue
    if (!(await hasAnswered(tx, { companyId, serviceId }, bound.customer.connectionId, slug))) continue
    for (const forUserId of usersOf({ parties })) needed.push({ sourceKey, forUserId, sourceUserId: bound.userId })
  }
  return needed
}

function newRun(
  { ids, clock }: ServiceSideContext,
  { companyId, serviceId, flowId, version, definition }: FlowVersion,
  parties: readonly BoundParty[],
  values: Pick<StoredRun, 'ownerTagValues' | 'tagValues'>,
): StoredRun {
  const now = clock.now()
  const entry = definition.nodes.find(({ key }) => key === definition.entry)
  if (entry === undefined) throw new Error(`version ${version} of flow ${flowId} has no entry`)
  return {
    companyId,
    serviceId,
    id: ids.uuid<RunId>(),
    flowId,
    flowVersion: version,
    status: awaiting(entry.party),
    currentNode: entry.key,
    outputMode: definition.output_mode,
    referenceDate: formatInstant(now).slice(0, 10),
    ...values,
    privateSlugs: [],
    rev: 1,
    createdAt: now,
    updatedAt: now,
    cancelledAt: null,
    cancelledBy: null,
    cancelReason: null,
    dataDeletedAt: null,
    parties,
  }
}

interface StartFacts {
  readonly userId: UserId
  readonly tags: ReadonlyMap<string, RunTagValues> | null
  readonly sources: readonly FoundSource[]
}

function startOf(definition: Definition, run: StoredRun, { userId, tags, sources }: StartFacts): RunStart {
  const own = sources.filter(({ forUserId }) => forUserId === userId)
  return {
    flow_id: run.flowId,
    flow_version: run.flowVersion,
    definition: definitionToJson(definition),
    reference_date: run.referenceDate,
    bindings: bindingsOf(run),
    keys: keysOf(run),
    owner_tag_values: run.ownerTagValues,
    tag_values: tags?.get(userId) ?? null,
    source_files: Object.fromEntries(own.map(({ sourceKey, file }) => [sourceKey, file.id])),
    staged: sources.filter(({ sourceUserId }) => sourceUserId === userId).map(({ file }) => file.id),
    created_at: formatInstant(run.createdAt),
  }
}

/** A customer seals its answers to the other customers of the run. */
function keysOf({ parties }: StoredRun): Record<string, string> {
  return Object.fromEntries(
    parties.flatMap(({ userId, customer }) => (customer === null ? [] : [[userId, customer.publicKey]])),
  )
}
