import { generateOneTimeKey, importOneTimeKey, sealOnce } from '@sealpost/crypto'
import { type FlowNode, heldSources } from '@sealpost/flow/run'
import { isSealpostError } from '../errors.ts'
import type { Envelope } from '../files/envelope.ts'
import { hostPlatform } from '../keys/host.ts'
import type { GenerateRunAnswer, GenerateRunBody, StoreRunInputBody } from '../shapes.generated.ts'
import { FlowError } from './flow-error.ts'
import { openAnswers, readReference, type RunReader, valuesOf } from './open-answers.ts'
import { currentNode, pinnedDefinition } from './pinned-definition.ts'
import type { FlowRun } from './run.ts'

/** The copies that a run has made, in the order of the signing line. */
export type GeneratedDocuments = GenerateRunAnswer

/** The side of the run that documents are generated through. */
export interface GenerateSending {
  readonly readAgain: () => Promise<FlowRun>
  /** The own copy of a participant's PDF, by its source key. */
  readonly readSource: (run: FlowRun, source: ParticipantSource) => Promise<Envelope>
  readonly storeInput: (body: StoreRunInputBody) => Promise<{ readonly input: string }>
  readonly generate: (body: GenerateRunBody) => Promise<GeneratedDocuments>
}

/** `slug`: of the file answer; null for a file that a customer had shared when the run started. */
export interface ParticipantSource {
  readonly key: string
  readonly slug: string | null
}

/**
 * Hands the answers and the participants' PDFs over under a new one-time key. Once the documents are made, a repeated call
 * needs neither: it only answers them.
 */
export async function generateDocuments(
  run: FlowRun,
  reader: RunReader,
  sending: GenerateSending,
): Promise<GeneratedDocuments> {
  const leaf = requireGenerating(run, reader.userId)
  const { otk, seal } = await newHandOver()
  if (run.status !== 'generating') return sending.generate({ otk, values: await seal('{}') })
  const values = Object.fromEntries(valuesOf(await openAnswers(run, reader)))
  const sources = heldSources(leaf, (key) => isHeld(run, reader.userId, key))
  try {
    const inputs = await storeInputs(run, sources, seal, sending)
    return await sending.generate({ otk, values: await seal(JSON.stringify(values)), inputs })
  } catch (error) {
    // Another process of this party may have been faster.
    if (!isSealpostError(error, 'flows.not_generatable') || !isMade(await sending.readAgain())) throw error
    return sending.generate({ otk, values: await seal('{}') })
  }
}

function requireGenerating(run: FlowRun, userId: string): FlowNode {
  const subject = `run ${run.id}`
  const isReady = run.status === 'generating' || isMade(run)
  const definition = pinnedDefinition(run)
  // Answers are handed over for documents that the definition names; what the server says beside it is not enough.
  const isMaking = run.output_mode === 'document' && definition.output_mode === 'document'
  if (!isMaking || !isReady) throw new FlowError('not_generating', subject)
  const leaf = currentNode(definition, run)
  if (run.bindings[leaf.party] !== userId) throw new FlowError('not_the_generator', subject)
  return leaf
}

function isMade({ status }: FlowRun): boolean {
  return status === 'awaiting_signature' || status === 'completed'
}

/** By the own copies: another party may hold others. */
function isHeld({ answers, source_files: files }: FlowRun, userId: string, sourceKey: string): boolean {
  const slug = slugOf(sourceKey)
  if (slug === null) return Object.hasOwn(files, sourceKey)
  const own = answers.find((one) => one.slug === slug && one.for_user_id === userId)
  return own !== undefined && (readReference(own.value)?.file ?? null) !== null
}

function slugOf(sourceKey: string): string | null {
  return sourceKey.startsWith('field:') ? sourceKey.slice('field:'.length) : null
}

/** One after the other: each may have 25 MB. */
async function storeInputs(
  run: FlowRun,
  sources: readonly string[],
  seal: (text: string) => Promise<string>,
  { readSource, storeInput }: GenerateSending,
): Promise<NonNullable<GenerateRunBody['inputs']>> {
  const inputs: { source_key: string; input: string }[] = []
  for (const key of sources) {
    const { text } = await readSource(run, { key, slug: slugOf(key) })
    const { input } = await storeInput({ source_key: key, value: await seal(text) })
    inputs.push({ source_key: key, input })
  }
  return inputs
}

async function newHandOver() {
  const platform = hostPlatform()
  const otk = generateOneTimeKey(platform)
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) throw new Error('a new one-time key cannot be imported')
  const seal = (text: string) => sealOnce(platform, key.value, new TextEncoder().encode(text))
  return { otk: otk.reveal(), seal }
}
