import { type Block, isValueOf, type Output, type PluginValue, type Question, type Reply } from '@sealpost/plugin'
import type { ServedFieldType } from './check-definition.ts'
import { type Asked, picksInvalid } from './definition.ts'
import { findOptions, hasOption } from './find-options.ts'

/** The question lacks something that only a faulty client leaves out. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError'
}

/** Answers an opened question by the functions of the author. */
export async function answerQuestion(served: ServedFieldType, question: Question, signal: AbortSignal): Promise<Reply> {
  const picks = await checkedPicks(served, question, signal)
  if (question.op === 'options') return answerOptions(served, question, picks, signal)
  const { blocks } = served.described
  const isComplete = blocks.every(({ key, kind }) => kind !== 'search_select' || picks.has(key))
  if (!isComplete) return { kind: 'picks_invalid' }
  const missing = blocks.find(({ key, kind }) => kind !== 'search_select' && !question.values.has(key))
  if (missing !== undefined) throw new QuestionError(`values.${missing.key} is absent`)
  const filled = {
    picks: Object.fromEntries(picks),
    values: Object.fromEntries(question.values),
    inputs: Object.fromEntries(question.inputs),
    signal,
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of the definition, checked against the question above
  const computed = await served.definition.compute(filled as never)
  if (computed === picksInvalid) return { kind: 'picks_invalid' }
  return { kind: 'outputs', outputs: checkedOutputs(served, computed) }
}

async function answerOptions(
  { definition }: ServedFieldType,
  question: Extract<Question, { op: 'options' }>,
  picks: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Reply> {
  const { key } = question.block
  const block = definition.blocks[key]
  if (block?.kind !== 'search_select') throw new QuestionError(`${key} is no search_select block`)
  // Nothing can be offered until the blocks before it are filled with what still exists.
  if (!isReady(question.block, question, picks)) return { kind: 'options', options: [], more: false }
  return findOptions(block, key, question.query, askedOf(question.block, question, picks, signal))
}

/** The picks that are options at present, in declared order: one that depends on a stale pick is stale as well. */
async function checkedPicks(
  { described, definition }: ServedFieldType,
  question: Question,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const checked = new Map<string, string>()
  for (const block of blocksBefore(described.blocks, question)) {
    const id = question.picks.get(block.key)
    const defined = definition.blocks[block.key]
    if (id === undefined || defined?.kind !== 'search_select' || !isReady(block, question, checked)) continue
    if (await hasOption(defined, id, askedOf(block, question, checked, signal))) checked.set(block.key, id)
  }
  return checked
}

/** Options depend on earlier blocks only; outputs on all. */
function blocksBefore(blocks: readonly Block[], question: Question): readonly Block[] {
  return question.op === 'outputs' ? blocks : blocks.slice(0, blocks.indexOf(question.block))
}

function isReady({ depends_on: needed = [] }: Block, { values }: Question, picks: ReadonlyMap<string, string>) {
  return needed.every((key) => picks.has(key) || values.has(key))
}

function askedOf(
  { depends_on: needed = [] }: Block,
  { values, inputs }: Question,
  picks: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Asked {
  const own = ([key]: readonly [string, unknown]): boolean => needed.includes(key)
  return {
    picks: Object.fromEntries([...picks].filter(own)),
    values: Object.fromEntries([...values].filter(own)),
    inputs: Object.fromEntries(inputs),
    signal,
  }
}

/** What a definition without types may return is refused here, not at the client of a person. */
function checkedOutputs(
  { described }: ServedFieldType,
  computed: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, PluginValue | null> {
  const where = `compute of field type ${described.key}`
  if (typeof computed !== 'object' || computed === null) throw new TypeError(`${where} returned no outputs`)
  const unknown = Object.keys(computed).find((key) => described.outputs.every((output) => output.key !== key))
  if (unknown !== undefined) throw new TypeError(`${where} returned ${unknown}, which is no declared output`)
  return new Map(described.outputs.map((output) => [output.key, checkedOutput(where, output, computed[output.key])]))
}

function checkedOutput(where: string, { key, type }: Output, value: unknown): PluginValue | null {
  if (value === null || value === undefined) return null
  if (isValueOf(type, value)) return value
  const form = type === 'date' ? 'a date, YYYY-MM-DD' : `a ${type}`
  throw new TypeError(`${where} returned ${typeof value} for ${key}, which is declared as ${form}; null says none`)
}
