import { createCryptoPlatform, importOneTimeKey, type OneTimeKey, openOnce } from '@sealpost/crypto'
import { type ChosenOutput, type Definition, type FlowNode, heldSources, signingLine } from '@sealpost/flow'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { GenerateRefusal } from '@sealpost/protocol'
import { listTagsOf } from '../../../flows/index.ts'
import { loadRegistry } from '../../../registry/index.ts'
import type { Evaluation, EvaluationTask } from '../../evaluation/evaluate.ts'
import { failed, type NotGenerated } from '../../rules/not-generated.ts'
import type { ServiceSideContext } from '../../service-side/context.ts'
import type { Actor, RunName, StoredRun } from '../../service-side/model.ts'
import { pinnedDefinition } from '../../service-side/operations/read-runs.ts'
import { listAnswers } from '../../service-side/store/answers.ts'
import { listSources } from '../../service-side/store/files.ts'
import { findRun } from '../../service-side/store/runs.ts'
import type { Filling, HandedOver, SealedText } from '../model.ts'
import { type Generating, requireGenerator } from '../rules/generator.ts'
import { isSameSet } from '../rules/hand-over.ts'
import { fillOutput } from './fill-output.ts'
import { readLanguage } from './read-language.ts'
import { recordDocuments } from './record-documents.ts'
import { storeCopies } from './store-copies.ts'

const platform = createCryptoPlatform(globalThis)

type Outcome<Value> = Result<Value, NotGenerated>

/**
 * Fills the outputs of a run and stores a copy of each for every participant. Everything slow happens before the
 * transaction, so several calls may get that far; the first one records its documents, the others find them. The key and
 * the plaintext are in memory only, and what a failed call has stored is garbage.
 */
export async function generate(
  context: ServiceSideContext,
  name: RunName,
  actor: Actor,
  handed: HandedOver,
): Promise<Outcome<StoredRun>> {
  const found = await findGenerating(context, name, actor)
  if (!found.ok) return failed(found.refusal)
  if (found.value.generating === 'done') return accept(found.value.run)
  const { run, definition, leaf } = found.value
  const held = heldSources(leaf, await findHeld(context, run, actor, handed.fileSlugs))
  if (handed.inputs === null || !isSameSet(held, handed.inputs.keys())) return failed('flows.generate_inputs_mismatch')
  const opened = await openValues(handed)
  if (!opened.ok) return opened
  const { key, answers } = opened.value
  const task = { ...(await taskOf(context, run, definition, leaf)), answers, held }
  const evaluated = await evaluateRun(context, run, task)
  if (!evaluated.ok) return evaluated
  const { outputs, texts } = evaluated.value
  if (outputs.length === 0) return failed('flows.generation_failed', 'No rule of any document matches')
  const filling: Filling = {
    run,
    texts,
    textsFor: async (source, tags) => {
      const again = await evaluateRun(context, run, { ...task, tags: new Map([[source, tags]]) })
      return again.ok ? accept(again.value.texts.get(source) ?? null) : again
    },
    openInput: (source) => openText(key, handed.inputs?.get(source) ?? null),
  }
  const copies = await makeCopies(context, filling, outputs)
  return copies.ok ? recordDocuments(context, name, actor, copies.value) : copies
}

interface Found {
  readonly generating: Generating
  readonly run: StoredRun
  readonly definition: Definition
  readonly leaf: FlowNode
}

export function findGenerating(
  { database }: Pick<ServiceSideContext, 'database'>,
  name: RunName,
  actor: Actor,
): Promise<Result<Found, GenerateRefusal>> {
  return database.read(async (read): Promise<Result<Found, GenerateRefusal>> => {
    const run = await findRun(read, name)
    if (run === null) return decline('flows.run_not_found')
    const definition = await pinnedDefinition(read, run)
    const generating = requireGenerator(run, actor, definition)
    if (!generating.ok) return generating
    const leaf = definition.nodes.find(({ key }) => key === run.currentNode)
    if (leaf === undefined) return decline('flows.not_generatable')
    return accept({ generating: generating.value, run, definition, leaf })
  })
}

/** A file answer is held when the generating party's own copy names a file, a shared file when the run has copied it. */
function findHeld(
  { database }: ServiceSideContext,
  run: StoredRun,
  { userId }: Actor,
  fileSlugs: HandedOver['fileSlugs'],
): Promise<(sourceKey: string) => boolean> {
  return database.read(async (read) => {
    const answered = (await listAnswers(read, run)).flatMap(({ slug, file }) => (file === null ? [] : [slug]))
    const sources = await listSources(read, run)
    const held = new Set([
      ...[...(fileSlugs ?? answered)].map((slug) => `field:${slug}`),
      ...sources.filter(({ forUserId }) => forUserId === userId).map(({ sourceKey }) => sourceKey),
    ])
    return (sourceKey) => held.has(sourceKey)
  })
}

async function openValues({ otk, values }: HandedOver) {
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) return failed('flows.generation_failed', 'The one-time key is not base64 of 32 bytes')
  const answers = await openText(key.value, values)
  return answers === null ? failed('flows.generation_failed', NOT_OPENED) : accept({ key: key.value, answers })
}

const NOT_OPENED = 'The values cannot be opened with the one-time key, or are no JSON map'

async function taskOf(context: ServiceSideContext, run: StoredRun, definition: Definition, leaf: FlowNode) {
  const language = await readLanguage(context, run, leaf)
  const assets = (leaf.outputs ?? []).flatMap(({ rules }) => rules).flatMap((rule) => rule.asset_key ?? [])
  return context.database.read(async (read) => ({
    definition,
    leafKey: leaf.key,
    referenceDate: run.referenceDate,
    language,
    types: await loadRegistry(read),
    tags: await listTagsOf(read, run, assets),
  }))
}

async function evaluateRun(
  { evaluate }: ServiceSideContext,
  { companyId }: StoredRun,
  task: EvaluationTask,
): Promise<Outcome<Evaluation>> {
  const evaluated = await evaluate(companyId, task)
  if (!evaluated.ok)
    return evaluated.refusal === 'busy' ? failed('platform.busy') : failed('flows.generation_failed', TOO_EXPENSIVE)
  return evaluated.value === null ? failed('flows.generation_failed', NOT_OPENED) : accept(evaluated.value)
}

const TOO_EXPENSIVE = 'The constants and conditions of the flow cost too much with these values'

/** Null when it is missing or the key does not open it. */
async function openText(key: OneTimeKey, sealed: SealedText | null): Promise<string | null> {
  const text = sealed === null ? null : await sealed()
  if (text === null) return null
  const opened = await openOnce(platform, key, text)
  return opened.ok ? Buffer.from(opened.value).toString('utf8') : null
}

/** One output after the other: only one PDF is in memory. */
async function makeCopies(context: ServiceSideContext, filling: Filling, outputs: readonly ChosenOutput[]) {
  const line = signingLine(outputs)
  const copies: Awaited<ReturnType<typeof storeCopies>>[number][] = []
  for (const output of outputs) {
    const pdf = await fillOutput(context, filling, output)
    if (!pdf.ok) return failed(pdf.refusal.refusal, pdf.refusal.sentence)
    copies.push(...(await storeCopies(context, filling.run, output, line, pdf.value)))
  }
  return accept(copies)
}
