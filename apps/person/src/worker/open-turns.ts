import { createCryptoPlatform } from '@sealpost/crypto'
import type { ContactValue, FieldTypes, FileToShare, FlowTurn, PluginField, TurnAnswers } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import type { Failure } from '@sealpost/ui/failure'
import { refuseHere } from '@sealpost/web-app/worker'
import type { OpenAccount, PersonContext } from './context.ts'
import { answersOf, EMPTY_DRAFT, fillBlocks, type TurnDraft } from './turn-draft.ts'
import { type TurnStore, turnStore } from './turn-store.ts'

/** A turn that is being filled in on this device. */
export interface OpenTurn {
  readonly turn: FlowTurn
  readonly connection: TurnConnection
  readonly own: OwnValues
  readonly files: Map<string, readonly FileToShare[]>
  readonly plugins: Map<string, OpenPlugin>
  draft: TurnDraft
}

export interface TurnConnection {
  readonly connectionId: string
  readonly companyId: string
  readonly companyName: string
  readonly serviceName: string
}

/** The own values that can answer questions, as they were when the turn was opened. */
export interface OwnValues {
  readonly types: FieldTypes
  readonly values: readonly ContactValue[]
}

export interface OpenPlugin {
  /** Null where it could not be opened. */
  readonly field: PluginField | null
  /** Why the plugin did not answer; null when it did, or was not asked. */
  failure: Failure | null
  /** A typed block holds something that is not of its type. */
  hasInvalidBlock: boolean
  /** The picks did not fit the other answers any more. */
  isPicksInvalid: boolean
}

/** Forgotten with the account, when it is locked. */
const turns = new WeakMap<OpenAccount, Map<string, OpenTurn>>()

function turnsOf(account: OpenAccount): Map<string, OpenTurn> {
  const known = turns.get(account) ?? new Map<string, OpenTurn>()
  turns.set(account, known)
  return known
}

/** Reads the run, and what was filled in on this device before. */
export async function openTurn(
  context: PersonContext,
  { connectionId, runId }: { readonly connectionId: string; readonly runId: string },
): Promise<OpenTurn> {
  const account = requireOpen(context)
  const turn = await account.client.flows.begin({ id: runId, connection_id: connectionId })
  const draft = await readDraft(context, runId)
  const [connection, own] = await Promise.all([readConnection(account, connectionId), readOwn(account)])
  const opened: OpenTurn = { turn, connection, own, draft, files: new Map(), plugins: new Map() }
  await readFiles(context, opened)
  turnsOf(account).set(runId, opened)
  return opened
}

async function readConnection({ client }: OpenAccount, connectionId: string): Promise<TurnConnection> {
  const { company, services } = await client.connections.get(connectionId)
  const serviceName = services[0]?.service_name ?? ''
  return { connectionId, companyId: company.user_id, companyName: company.display_name, serviceName }
}

async function readOwn({ client }: OpenAccount): Promise<OwnValues> {
  const values: ContactValue[] = []
  for await (const value of client.contactData.list()) values.push(value)
  return { types: await client.registry(), values }
}

export function requireTurn(context: PersonContext, runId: string): OpenTurn {
  const found = turnsOf(requireOpen(context)).get(runId)
  if (found === undefined) throw refuseHere('flow_not_open')
  return found
}

/** After it was sent, or when it turned out to be over. */
export async function closeTurn(context: PersonContext, runId: string): Promise<void> {
  turnsOf(requireOpen(context)).delete(runId)
  await storeOf(context).delete(runId)
}

export function answersOfTurn({ draft, files, plugins, turn }: OpenTurn): TurnAnswers {
  return answersOf(presentPlugins(draft, turn), {
    filesOf: (slug) => files.get(slug) ?? [],
    pluginOf: (slug) => plugins.get(slug)?.field ?? null,
  })
}

/** For the evaluation: a plugin field in which nothing is picked yet follows the answers that it reads, too. */
export function evaluatedAnswersOf(opened: OpenTurn): TurnAnswers {
  const answers = answersOfTurn(opened)
  const step = opened.turn.run.current_node
  const fields = [...opened.plugins].flatMap(([slug, { field }]) =>
    field === null ? [] : [[slug, { plugin: field }] as const],
  )
  return { ...answers, [step]: { ...answers[step], ...Object.fromEntries(fields) } }
}

/** Plugin fields are of the present step; those of a step that was sent are closed. */
function presentPlugins(draft: TurnDraft, { run }: FlowTurn): TurnDraft {
  const steps = Object.entries(draft.answers).map(([step, answers]) => {
    if (step === run.current_node) return [step, answers] as const
    return [step, Object.fromEntries(Object.entries(answers).filter(([, { kind }]) => kind !== 'plugin'))] as const
  })
  return { ...draft, answers: Object.fromEntries(steps) }
}

/** Gives the plugin fields what the draft has for them. */
export function fillPlugins({ plugins, draft, turn }: OpenTurn): void {
  for (const [slug, plugin] of plugins) {
    const answer = draft.answers[turn.run.current_node]?.[slug]
    const blocks = answer?.kind === 'plugin' ? answer.blocks : {}
    if (plugin.field !== null) plugin.hasInvalidBlock = !fillBlocks(plugin.field, blocks)
  }
}

export async function writeDraft(context: PersonContext, runId: string, draft: TurnDraft): Promise<void> {
  await storeOf(context).write(runId, await requireOpen(context).own.seal(JSON.stringify(draft)))
}

async function readDraft(context: PersonContext, runId: string): Promise<TurnDraft> {
  const sealed = await storeOf(context).read(runId)
  if (sealed === null) return EMPTY_DRAFT
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeDraft` stores there, sealed to the own key
  return JSON.parse(await requireOpen(context).own.open(sealed)) as TurnDraft
}

interface StoredFile extends Omit<FileToShare, 'bytes'> {
  readonly base64: string
}

export async function writeFiles(
  context: PersonContext,
  runId: string,
  slug: string,
  files: readonly FileToShare[],
): Promise<void> {
  const { base64 } = createCryptoPlatform(globalThis)
  const stored = files.map(({ bytes, ...facts }): StoredFile => ({
    ...facts,
    base64: base64.encode(Uint8Array.from(bytes)),
  }))
  await storeOf(context).writeFiles(runId, slug, await requireOpen(context).own.seal(JSON.stringify(stored)))
}

async function readFiles(context: PersonContext, { turn, draft, files }: OpenTurn): Promise<void> {
  const { base64 } = createCryptoPlatform(globalThis)
  const named = Object.values(draft.answers).flatMap((answers) =>
    Object.entries(answers).flatMap(([slug, { kind }]) => (kind === 'files' ? [slug] : [])),
  )
  for (const slug of named) {
    const sealed = await storeOf(context).readFiles(turn.run.id, slug)
    if (sealed === null) continue
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeFiles` stores there
    const stored = JSON.parse(await requireOpen(context).own.open(sealed)) as readonly StoredFile[]
    files.set(
      slug,
      stored.map(({ base64: text, ...facts }) => ({ ...facts, bytes: base64.decode(text) ?? new Uint8Array() })),
    )
  }
}

function storeOf(context: PersonContext): TurnStore {
  const { accountId } = requireOpen(context)
  return turnStore(context.store.rows(), accountId)
}
