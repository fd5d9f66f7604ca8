import { FlowError, type FlowStep, isSealpostError, type PluginOptions } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { workerFailure } from '@sealpost/web-app/worker'
import type { PersonContext } from '../context.ts'
import {
  answersOfTurn,
  closeTurn,
  evaluatedAnswersOf,
  fillPlugins,
  type OpenTurn,
  openTurn,
  requireTurn,
  writeDraft,
  writeFiles,
} from '../open-turns.ts'
import type { AnswerDraft, FileFacts, TurnDraft } from '../turn-draft.ts'
import { isFilled, stepView, type StepView } from '../turn-view.ts'

export type { AnswerDraft, BlockDrafts, FileFacts, StepDraft, TurnDraft } from '../turn-draft.ts'
export type { BlockView, ElementView, NextView, PluginView, QuestionView, StepView } from '../turn-view.ts'

/** The person's turn: the steps that what is filled in leads to, and that itself. */
export interface TurnView {
  readonly runId: string
  readonly connectionId: string
  readonly companyId: string
  readonly companyName: string
  readonly serviceName: string
  /** Everybody else who can open the answers. */
  readonly readers: readonly string[]
  readonly makesDocuments: boolean
  readonly steps: readonly StepView[]
  readonly draft: TurnDraft
}

interface RunName {
  readonly connectionId: string
  readonly runId: string
}

/** Opens the turn, with what was filled in before. */
export async function beginTurn(context: PersonContext, name: RunName): Promise<TurnView> {
  return viewOf(context, await openTurn(context, name))
}

/** Keeps what is filled in, sealed, on this device, and evaluates it. Sends nothing. */
export async function changeTurn(
  context: PersonContext,
  { runId, draft }: { readonly runId: string; readonly draft: TurnDraft },
): Promise<TurnView> {
  const opened = requireTurn(context, runId)
  opened.draft = draft
  for (const plugin of opened.plugins.values()) {
    plugin.isPicksInvalid = false
    plugin.failure = null
  }
  await writeDraft(context, runId, draft)
  return viewOf(context, opened)
}

/** Keeps the files of an answer, sealed, on this device. */
export async function keepAnswerFiles(
  context: PersonContext,
  wish: {
    readonly runId: string
    readonly slug: string
    readonly files: readonly (Omit<FileFacts, 'size'> & { readonly bytes: Uint8Array<ArrayBuffer> })[]
    /** Pages of a document come after those that are there; any other file takes the place of the last one. */
    readonly isMore: boolean
  },
): Promise<void> {
  const { runId, slug, isMore } = wish
  const turn = requireTurn(context, runId)
  const added = wish.files.map(({ name, mimeType, bytes }) => ({ originalName: name, mimeType, bytes }))
  const files = [...(isMore ? (turn.files.get(slug) ?? []) : []), ...added]
  turn.files.set(slug, files)
  await writeFiles(context, runId, slug, files)
}

export async function listPluginOptions(
  context: PersonContext,
  wish: { readonly runId: string; readonly slug: string; readonly block: string; readonly query: string },
): Promise<PluginOptions> {
  const { field = null } = requireTurn(context, wish.runId).plugins.get(wish.slug) ?? {}
  return field === null ? { options: [], more: false } : field.options(wish.block, wish.query)
}

/** Asks the plugin for its outputs, when everything is picked. */
export async function askPlugin(
  context: PersonContext,
  { runId, slug }: { readonly runId: string; readonly slug: string },
): Promise<TurnView> {
  const opened = requireTurn(context, runId)
  const plugin = opened.plugins.get(slug)
  const { field = null } = plugin ?? {}
  if (plugin === undefined || field === null || !isFilled(field)) return viewOf(context, opened)
  plugin.failure = null
  try {
    const { kind } = await field.answer()
    if (kind === 'picks_invalid') await forgetPicks(context, opened, slug)
  } catch (error) {
    plugin.failure = workerFailure(error)
  }
  return viewOf(context, opened)
}

/** The person has compared the fingerprint with what the company says. */
export async function confirmPluginKey(
  context: PersonContext,
  { runId, slug, fingerprint }: { readonly runId: string; readonly slug: string; readonly fingerprint: string },
): Promise<TurnView> {
  const opened = requireTurn(context, runId)
  const plugin = opened.plugins.get(slug)
  await plugin?.field?.confirmKey(fingerprint)
  if (plugin !== undefined) plugin.failure = null
  return viewOf(context, opened)
}

/** Sends all steps of the turn, each sealed for everybody who takes part. */
export async function sendTurn(context: PersonContext, runId: string): Promise<SentView> {
  const opened = requireTurn(context, runId)
  try {
    const run = await opened.turn.send(answersOfTurn(opened))
    const awaited = await requireOpen(context).client.flows.whoseTurn(run)
    await closeTurn(context, runId)
    context.changed('flows', 'connections', 'data')
    return { isStillTheirs: awaited?.isOwn ?? false }
  } catch (error) {
    // Nothing can be done with it any more.
    if (isOver(error)) {
      await closeTurn(context, runId)
      context.changed('flows')
    }
    throw error
  }
}

export interface SentView {
  /** A further step of the person has opened, which could not be filled in before. */
  readonly isStillTheirs: boolean
}

function isOver(error: unknown): boolean {
  const isAnswered = error instanceof FlowError && error.reason === 'answered_already'
  return isAnswered || isSealpostError(error, 'flows.run_closed') || isSealpostError(error, 'flows.run_not_found')
}

/** The picks are cleared on both sides; what was typed stays. */
async function forgetPicks(context: PersonContext, opened: OpenTurn, slug: string): Promise<void> {
  const { run } = opened.turn
  const plugin = opened.plugins.get(slug)
  const answers = opened.draft.answers[run.current_node] ?? {}
  const answer = answers[slug]
  if (plugin === undefined || answer?.kind !== 'plugin') return
  plugin.isPicksInvalid = true
  const typed = Object.entries(answer.blocks).filter(([, value]) => typeof value === 'string')
  const kept: AnswerDraft = { kind: 'plugin', blocks: Object.fromEntries(typed) }
  const changed = { ...answers, [slug]: kept }
  opened.draft = { ...opened.draft, answers: { ...opened.draft.answers, [run.current_node]: changed } }
  await writeDraft(context, run.id, opened.draft)
}

async function viewOf(context: PersonContext, opened: OpenTurn): Promise<TurnView> {
  const account = requireOpen(context)
  const { turn, connection, own, draft } = opened
  const { run } = turn
  const steps = await stepsOf(opened)
  const isOwnParty = (party: string): boolean => run.bindings[party] === account.accountId
  const labelOf = (party: string): string =>
    run.bindings[party] === run.company_user_id
      ? connection.companyName
      : (run.parties.find(({ key }) => key === party)?.label ?? party)
  const others = Object.keys(run.bindings).filter((party) => !isOwnParty(party))
  return {
    runId: run.id,
    ...connection,
    readers: [...new Set(others.map(labelOf))],
    makesDocuments: run.output_mode === 'document',
    steps: steps.map((step, place) => {
      const isLast = place === steps.length - 1
      return stepView(step, { ...own, plugins: opened.plugins, isOwnParty, labelOf, isLast })
    }),
    draft,
  }
}

/** Opens the plugin fields that are shown for the first time, and gives all of them what is filled in. */
async function stepsOf(opened: OpenTurn): Promise<readonly FlowStep[]> {
  const { turn, plugins } = opened
  fillPlugins(opened)
  const steps = await turn.steps(evaluatedAnswersOf(opened))
  const shown = (steps[0]?.elements ?? []).flatMap((element) => (element.kind === 'plugin' ? [element.slug] : []))
  const missing = shown.filter((slug) => (plugins.get(slug)?.field ?? null) === null)
  if (missing.length === 0) return steps
  for (const slug of missing) {
    const about = { hasInvalidBlock: false, isPicksInvalid: false }
    try {
      const field = await turn.plugin(slug, answersOfTurn(opened))
      plugins.set(slug, { ...about, field, failure: null })
    } catch (error) {
      plugins.set(slug, { ...about, field: null, failure: workerFailure(error) })
    }
  }
  fillPlugins(opened)
  return turn.steps(evaluatedAnswersOf(opened))
}
