import type { FlowRun, FlowRunSummary, OwnConnection, SigningStep } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import type { OpenAccount, PersonContext } from '../context.ts'
import { closeTurn } from '../open-turns.ts'
import { type GivenAnswerView, givenView, nameOf, type RunState, stateOf } from '../run-view.ts'
import type { OpenedFileView } from './data.ts'

export type { GivenAnswerView, RunState } from '../run-view.ts'

/** A run in a list. */
export interface RunRow {
  readonly runId: string
  readonly connectionId: string
  readonly companyId: string
  readonly companyName: string
  readonly serviceName: string
  /** The present step; null for a run that is over. */
  readonly title: string | null
  readonly state: RunState
  readonly updatedAt: string
}

/** A run with everything that the person can read of it. */
export interface RunView extends RunRow {
  readonly makesDocuments: boolean
  readonly parties: readonly { readonly key: string; readonly name: string; readonly isOwn: boolean }[]
  /** In the order of the steps. */
  readonly answers: readonly GivenAnswerView[]
  readonly line: readonly LineStepView[]
}

export interface LineStepView {
  readonly name: string
  readonly who: string
  readonly isOwn: boolean
  readonly act: SigningStep['act']
  readonly state: SigningStep['state']
  readonly actedAt: string | null
  readonly paperId: string
}

interface RunName {
  readonly connectionId: string
  readonly runId: string
}

/** All runs of all connections, those that wait for the person first. */
export async function listRuns(context: PersonContext): Promise<readonly RunRow[]> {
  const account = requireOpen(context)
  const rows: Promise<readonly RunRow[]>[] = []
  for await (const connection of account.client.connections.list()) rows.push(rowsOf(account, connection))
  return (await Promise.all(rows))
    .flat()
    .toSorted((one, other) => rankOf(one) - rankOf(other) || other.updatedAt.localeCompare(one.updatedAt))
}

async function rowsOf(account: OpenAccount, connection: OwnConnection): Promise<readonly RunRow[]> {
  const runs = await account.client.flows.list(connection.id)
  return Promise.all(runs.map((run) => rowOf(account, connection, run)))
}

/** Only open runs are read: whose turn it is stands in the run itself. */
async function rowOf(account: OpenAccount, connection: OwnConnection, summary: FlowRunSummary): Promise<RunRow> {
  const { status, updated_at: updatedAt } = summary
  const about = { runId: summary.id, ...namesOf(connection), updatedAt }
  if (status === 'completed') return { ...about, title: null, state: { kind: 'completed' } }
  if (status === 'cancelled')
    return { ...about, title: null, state: { kind: 'cancelled', who: null, isOwn: false, reason: null } }
  const run = await account.client.flows.get(connection.id, summary.id)
  return { ...about, title: titleOf(run), state: await readState(account, run, about.companyName) }
}

function namesOf({ id, company, services }: OwnConnection) {
  const { user_id: companyId, display_name: companyName } = company
  return { connectionId: id, companyId, companyName, serviceName: services[0]?.service_name ?? '' }
}

function titleOf({ definition, current_node: key }: FlowRun): string | null {
  return definition.nodes.find((node) => node.key === key)?.title ?? null
}

async function readState({ client, accountId }: OpenAccount, run: FlowRun, companyName: string): Promise<RunState> {
  const awaited = await client.flows.whoseTurn(run)
  return stateOf(run, { userId: accountId, companyName, awaited, steps: await client.flows.signingSteps(run) })
}

const WAITING: readonly RunState['kind'][] = ['your_turn', 'make', 'sign']
const OVER: readonly RunState['kind'][] = ['completed', 'cancelled']

function rankOf({ state: { kind } }: RunRow): number {
  if (WAITING.includes(kind)) return 0
  return OVER.includes(kind) ? 2 : 1
}

export async function readRun(context: PersonContext, { connectionId, runId }: RunName): Promise<RunView> {
  const account = requireOpen(context)
  const { client, accountId } = account
  const run = await client.flows.get(connectionId, runId)
  const about = namesOf(await client.connections.get(connectionId))
  const who = (party: string): string => nameOf(run, party, about.companyName)
  const state = await readState(account, run, about.companyName)
  return {
    runId,
    ...about,
    title: titleOf(run),
    state,
    updatedAt: run.updated_at,
    makesDocuments: run.output_mode === 'document',
    parties: run.parties.map(({ key }) => ({ key, name: who(key), isOwn: run.bindings[key] === accountId })),
    answers: await readAnswers(account, run, who),
    line: (await client.flows.signingSteps(run)).map((step) => ({
      name: step.name,
      who: who(step.party),
      isOwn: step.isOwn,
      act: step.act,
      state: step.state,
      actedAt: step.actedAt,
      paperId: step.documentId,
    })),
  }
}

async function readAnswers(
  { client, accountId }: OpenAccount,
  run: FlowRun,
  who: (party: string) => string,
): Promise<readonly GivenAnswerView[]> {
  const types = await client.registry()
  const opened = Object.entries(await client.flows.open(run))
  const places = run.definition.nodes.map(({ key }) => key)
  return opened
    .toSorted(([, one], [, other]) => places.indexOf(one.step) - places.indexOf(other.step))
    .map(([slug, answer]) => {
      const isOwn = run.bindings[answer.party] === accountId
      return givenView(slug, answer, { types, who: who(answer.party), isOwn })
    })
}

/** The first file of an answer. */
export async function openRunFile(
  context: PersonContext,
  { connectionId, runId, slug }: RunName & { readonly slug: string },
): Promise<OpenedFileView | null> {
  const { flows } = requireOpen(context).client
  const { files } = await flows.readFile(await flows.get(connectionId, runId), slug)
  const [file] = files
  if (file === undefined) return null
  return { name: file.originalName ?? slug, mimeType: file.mimeType, bytes: Uint8Array.from(file.bytes) }
}

/** The answers are opened here and handed over under a one-time key; the platform fills the documents and forgets them. */
export async function makeDocuments(context: PersonContext, { connectionId, runId }: RunName): Promise<void> {
  await requireOpen(context).client.flows.generate({ id: runId, connection_id: connectionId })
  context.changed('flows', 'papers')
}

/** Ends the run for everybody. */
export async function cancelRun(
  context: PersonContext,
  { connectionId, runId, reason }: RunName & { readonly reason: string },
): Promise<void> {
  const { flows } = requireOpen(context).client
  await flows.cancel({ id: runId, connection_id: connectionId }, reason.trim() === '' ? undefined : reason.trim())
  await closeTurn(context, runId)
  context.changed('flows', 'papers')
}
