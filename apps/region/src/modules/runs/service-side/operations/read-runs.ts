import { connectionSources, type Definition } from '@sealpost/flow'
import { parseUuid } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { type FlowRun, type PageQueryText, refuse, type RunDocument, type RunState } from '@sealpost/protocol'
import { listPage, type Slice } from '../../../../platform/page.ts'
import { listRunDocuments } from '../../../documents/index.ts'
import { type FlowId, readVersion } from '../../../flows/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { RunId, RunSummary, StoredRun } from '../model.ts'
import { listAnswers } from '../store/answers.ts'
import { listSources } from '../store/files.ts'
import { findRun, listRunRows, type RunFilter } from '../store/runs.ts'
import { runToWire, stateToWire, summaryToWire } from '../wire.ts'

/** Another service's run answers like a missing one; `flowId`: the run must be of this flow. */
export async function locateRun(
  { database }: Pick<ServiceSideContext, 'database'>,
  { serviceId }: ServiceName,
  text: string,
  flowId: FlowId | null = null,
): Promise<StoredRun> {
  const id = parseUuid<RunId>(text)
  const run = id === null ? null : await database.read((read) => findRun(read, { serviceId, id }))
  if (run === null || (flowId !== null && run.flowId !== flowId)) throw refuse('flows.run_not_found')
  return run
}

export function readRun({ database }: Pick<ServiceSideContext, 'database'>, run: StoredRun): Promise<FlowRun> {
  return database.read(async (read) => runAnswer(read, run, await pinnedDefinition(read, run)))
}

/** The run as it is now, with the own copies. */
export async function runAnswer(read: Read, run: StoredRun, definition: Definition): Promise<FlowRun> {
  const documents = await documentsOf(read, run)
  const sources = connectionSources(definition).length === 0 ? [] : await listSources(read, run)
  return runToWire(run, definition, await listAnswers(read, run), sources, documents)
}

/** The copies that a run has made, in the order of the signing line. */
export async function documentsOf(
  read: Read,
  { serviceId, id, outputMode }: StoredRun,
): Promise<readonly RunDocument[]> {
  return outputMode === 'document' ? listRunDocuments(read, { serviceId, runId: id }) : []
}

/** The changing members, as messages carry them. */
export async function runState(read: Read, run: StoredRun): Promise<RunState> {
  return stateToWire(run, await documentsOf(read, run))
}

export async function pinnedDefinition(read: Read, run: StoredRun): Promise<Definition> {
  const version = await readVersion(read, run, run.flowVersion)
  if (version === null) throw new Error(`run ${run.id} has lost its version of flow ${run.flowId}`)
  return version.definition
}

const runs = { name: 'runs', idOf: ({ id }: RunSummary) => id, toWire: summaryToWire }

export interface RunQuery extends PageQueryText {
  readonly status?: string
  readonly awaiting?: 'owner'
}

export function listRuns(
  { database }: Pick<ServiceSideContext, 'database'>,
  { serviceId }: ServiceName,
  flowId: FlowId | null,
  query: RunQuery,
) {
  const statuses = query.status?.split(',').map((status) => status.trim()) ?? null
  const filter: RunFilter = { flowId, statuses, awaitsOwner: query.awaiting === 'owner' }
  return listPage(runs, query, (slice: Slice<RunId>) =>
    database.read((read) => listRunRows(read, serviceId, filter, slice)),
  )
}
