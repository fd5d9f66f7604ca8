import type { FlowRun, FlowRunSummary, OpenedAnswer } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { allOf } from '../all-of.ts'
import type { PortalContext } from '../context.ts'
import { requireServiceKey } from '../service-key.ts'

export interface RunRow {
  readonly id: string
  readonly flowId: string
  readonly state: RunState
  readonly updatedAt: string
}

export type RunState = 'waits' | 'making' | 'signing' | 'completed' | 'cancelled'

export interface RunName {
  readonly serviceId: string
  readonly flowId: string
  readonly runId: string
}

export interface RunView extends RunRow {
  readonly title: string
  /** How many answers are sealed to the service. */
  readonly sealed: number
}

/** An answer, opened in this worker for the page that shows it. */
export interface AnswerView {
  readonly slug: string
  readonly label: string
  readonly party: string
  readonly content:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'file' }
    | { readonly kind: 'unreadable' }
}

export async function listRuns(
  context: PortalContext,
  serviceId: string,
): Promise<readonly (RunRow & { readonly flowName: string })[]> {
  const { company } = requireOpen(context).client
  const flows = await allOf(company.runs.flows(serviceId))
  const published = flows.filter((flow) => flow.published_version !== null)
  const lists = await Promise.all(
    published.map(async ({ id, name }) => {
      const runs = await allOf(company.runs.list(serviceId, id))
      return runs.map((run) => ({ ...rowOf(run), flowName: name }))
    }),
  )
  return lists.flat().toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
}

/** Needs no key: what was answered stays sealed. */
export async function readRun(context: PortalContext, name: RunName): Promise<RunView> {
  const run = await requireOpen(context).client.company.runs.read(name)
  const sealed = run.answers.filter((answer) => answer.for_user_id === run.company_user_id).length
  return { ...rowOf(run), title: titleOf(run), sealed }
}

export async function openAnswers(context: PortalContext, name: RunName): Promise<readonly AnswerView[]> {
  const key = requireServiceKey(context, name.serviceId)
  const { runs } = requireOpen(context).client.company
  const run = await runs.read(name)
  const opened = await runs.open(run, key)
  return Object.entries(opened).map(([slug, answer]) => answerView(run, slug, answer))
}

function rowOf({ id, flow_id: flowId, status, updated_at: updatedAt }: FlowRunSummary): RunRow {
  return { id, flowId, state: stateOf(status), updatedAt }
}

function stateOf(status: string): RunState {
  if (status.startsWith('awaiting_')) return 'waits'
  if (status === 'generating') return 'making'
  if (status === 'completed' || status === 'cancelled') return status
  return 'signing'
}

function titleOf({ definition }: FlowRun): string {
  return 'title' in definition && typeof definition.title === 'string' ? definition.title : ''
}

function answerView(run: FlowRun, slug: string, answer: OpenedAnswer): AnswerView {
  const party = run.parties.find(({ key }) => key === answer.party)?.label ?? answer.party
  return { slug, label: answer.label, party, content: contentOf(answer) }
}

function contentOf(answer: OpenedAnswer): AnswerView['content'] {
  if (answer.kind === 'file' || answer.kind === 'unreadable') return { kind: answer.kind }
  const chosen = answer.options?.find(({ value }) => value === answer.text)
  return { kind: 'text', text: chosen?.label ?? answer.text }
}
