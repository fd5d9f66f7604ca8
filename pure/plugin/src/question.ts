import { accept, decline, PLUGIN_LIMITS as LIMITS, type Result } from '@sealpost/kernel'
import type { Block, FieldType, Input } from './manifest.ts'
import { below, memberOf, type Problem, type Problems, readObject, typeName } from './reading.ts'
import { isTypedValue, isValueOf, type PluginValue } from './values.ts'

/** What a party has filled so far, and the values that are wired to the inputs. Maps: keys come from outside. */
export interface Filled {
  /** Block key to option id. */
  readonly picks: ReadonlyMap<string, string>
  /** Block key to the value of a typed block. */
  readonly values: ReadonlyMap<string, string | number>
  readonly inputs: ReadonlyMap<string, PluginValue>
}

/** A question as a plugin opens it. */
export type Question = Filled & { readonly fieldType: FieldType; readonly replyKey: string } & (
    | { readonly op: 'options'; readonly block: Block; readonly query: string }
    | { readonly op: 'outputs' }
  )

/** The members of a question on the wire, before it is sealed. */
export function writeQuestion(
  asked: { readonly op: 'options'; readonly block: string; readonly query: string } | { readonly op: 'outputs' },
  fieldType: string,
  filled: Filled,
  replyKey: string,
): string {
  return JSON.stringify({
    field_type: fieldType,
    ...asked,
    picks: Object.fromEntries(filled.picks),
    values: Object.fromEntries(filled.values),
    inputs: Object.fromEntries(filled.inputs),
    reply_key: replyKey,
  })
}

/** Reads the opened text. Members that no rule names are ignored; so are picks of blocks that do not exist. */
export function parseQuestion(text: string, fieldTypes: readonly FieldType[]): Result<Question, readonly Problem[]> {
  const problems: Problems = []
  const from = readObject(problems, parseJson(text), '')
  const key = memberOf(from, 'field_type')
  const fieldType = fieldTypes.find((one) => one.key === key)
  if (fieldType === undefined) problems.push({ path: 'field_type', problem: 'is no field type of this plugin' })
  const replyKey = memberOf(from, 'reply_key')
  if (typeof replyKey !== 'string') {
    problems.push({ path: 'reply_key', problem: `must be a text, not ${typeName(replyKey)}` })
  }
  const op = memberOf(from, 'op')
  if (op !== 'options' && op !== 'outputs') problems.push({ path: 'op', problem: 'must be options or outputs' })
  if (fieldType === undefined || typeof replyKey !== 'string' || (op !== 'options' && op !== 'outputs')) {
    return decline(problems)
  }
  const filled = readFilled(problems, from, fieldType)
  const asked = op === 'outputs' ? ({ op } as const) : readAsked(problems, from, fieldType)
  if (asked === null || problems.length > 0) return decline(problems)
  return accept({ ...filled, ...asked, fieldType, replyKey })
}

function readAsked(problems: Problems, from: Readonly<Record<string, unknown>>, { blocks }: FieldType) {
  const block = blocks.find(({ key }) => key === memberOf(from, 'block'))
  const query = memberOf(from, 'query') ?? ''
  if (block?.kind !== 'search_select') problems.push({ path: 'block', problem: 'is no search_select block' })
  if (typeof query !== 'string') problems.push({ path: 'query', problem: `must be a text, not ${typeName(query)}` })
  if (block?.kind !== 'search_select' || typeof query !== 'string') return null
  return { op: 'options', block, query: query.slice(0, LIMITS.queryCharacters) } as const
}

function readFilled(problems: Problems, from: Readonly<Record<string, unknown>>, fieldType: FieldType): Filled {
  const picks = new Map<string, string>()
  const values = new Map<string, string | number>()
  const inputs = new Map<string, PluginValue>()
  const [givenPicks, givenValues, givenInputs] = ['picks', 'values', 'inputs'].map((name) =>
    readObject(problems, memberOf(from, name) ?? {}, name),
  )
  for (const { key, kind } of fieldType.blocks) {
    if (kind === 'search_select') readPick(problems, memberOf(givenPicks ?? {}, key), below('picks', key), key, picks)
    else readTyped(problems, memberOf(givenValues ?? {}, key), { key, kind }, values)
  }
  for (const input of fieldType.inputs) readInputValue(problems, memberOf(givenInputs ?? {}, input.key), input, inputs)
  return { picks, values, inputs }
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

function readPick(problems: Problems, value: unknown, path: string, key: string, into: Map<string, string>): void {
  if (isAbsent(value)) return
  if (typeof value === 'string' && value.length <= LIMITS.idCharacters) into.set(key, value)
  else problems.push({ path, problem: `must be the id of an option, at most ${LIMITS.idCharacters} characters` })
}

function readTyped(
  problems: Problems,
  value: unknown,
  { key, kind }: { readonly key: string; readonly kind: Exclude<Block['kind'], 'search_select'> },
  into: Map<string, string | number>,
): void {
  if (isAbsent(value)) return
  if (isTypedValue(kind, value)) into.set(key, value)
  else problems.push({ path: below('values', key), problem: `must be a ${kind}, not ${typeName(value)}` })
}

function readInputValue(problems: Problems, value: unknown, input: Input, into: Map<string, PluginValue>): void {
  const path = below('inputs', input.key)
  if (isAbsent(value)) {
    if (input.required) problems.push({ path, problem: 'is a required input and is absent' })
    return
  }
  if (isValueOf(input.type, value)) into.set(input.key, value)
  else problems.push({ path, problem: `must be a ${input.type}, not ${typeName(value)}` })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
