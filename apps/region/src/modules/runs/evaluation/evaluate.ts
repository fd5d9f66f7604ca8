import { MAX_TEXT_LENGTH } from '@sealpost/expression'
import type { Registry } from '@sealpost/field-types'
import { chooseOutputs, type ChosenOutput, type Definition, runValues, tagTexts } from '@sealpost/flow'
import { readValues } from '../generation/rules/hand-over.ts'

/** What the documents of a leaf are made of: data, which is copied to a thread. */
export interface EvaluationTask {
  readonly definition: Definition
  readonly leafKey: string
  /** The map of slugs to plaintext, in JSON. */
  readonly answers: string
  readonly referenceDate: string
  readonly language: string
  readonly held: readonly string[]
  readonly types: Registry
  /** The keys that the tags of files name, by the key of the file: of an asset, or of a participant's PDF. */
  readonly tags: ReadonlyMap<string, readonly string[]>
}

export interface Evaluation {
  readonly outputs: readonly ChosenOutput[]
  /** By the key of the file; null: longer than `MOST_CHARACTERS` together. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<string, string> | null>
}

/** Of the texts of one file: far more than its pages have room for, and a frame of that size is written in milliseconds. */
const MOST_CHARACTERS = MAX_TEXT_LENGTH

/** Null when the answers are no JSON map. */
export function evaluate(task: EvaluationTask): Evaluation | null {
  const { definition, leafKey, referenceDate, language, types, tags } = task
  const answers = readValues(task.answers)
  const leaf = definition.nodes.find(({ key }) => key === leafKey)
  if (answers === null || leaf === undefined) return null
  const values = runValues(definition, answers, referenceDate)
  const held = new Set(task.held)
  const outputs = chooseOutputs(definition, leaf, { values, language, isHeld: (source) => held.has(source) })
  const named = new Set([...tags.values()].flat())
  const texts = tagTexts(definition, leafKey, values, types, named)
  const used = new Set(outputs.map(fileOf))
  const filled = [...tags].filter(([file]) => used.has(file))
  return { outputs, texts: new Map(filled.map(([file, keys]) => [file, pick(texts, keys)])) }
}

/** The key of the file that an output is made of. */
export function fileOf({ source }: ChosenOutput): string {
  return source.kind === 'template' ? source.asset_key : source.source_key
}

function pick(texts: ReadonlyMap<string, string>, keys: readonly string[]): ReadonlyMap<string, string> | null {
  const picked = new Map<string, string>()
  let length = 0
  for (const key of keys) {
    const text = texts.get(key)
    if (text === undefined || picked.has(key)) continue
    length += text.length
    if (length > MOST_CHARACTERS) return null
    picked.set(key, text)
  }
  return picked
}
