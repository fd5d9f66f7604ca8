import { accept, decline, PLUGIN_LIMITS as LIMITS, type Result } from '@sealpost/kernel'
import type { Output } from './manifest.ts'
import {
  below,
  isJsonObject,
  memberOf,
  type Problem,
  type Problems,
  readList,
  readObject,
  readText,
  typeName,
} from './reading.ts'
import { isValueOf, type PluginValue } from './values.ts'

export interface PluginOption {
  readonly id: string
  readonly label: string
}

/** The options of a block; `more`: the list was cut, and a narrower query finds the others. */
export interface OptionsReply {
  readonly kind: 'options'
  readonly options: readonly PluginOption[]
  readonly more: boolean
}

export interface OutputsReply {
  readonly kind: 'outputs'
  /** Every declared output; null without a value. */
  readonly outputs: ReadonlyMap<string, PluginValue | null>
}

/** The picks do not fit the inputs or each other any more: they are cleared, and the person picks again. */
export interface PicksInvalid {
  readonly kind: 'picks_invalid'
}

export type Reply = OptionsReply | OutputsReply | PicksInvalid

export function writeReply(reply: Reply): string {
  switch (reply.kind) {
    case 'options':
      return JSON.stringify({ options: reply.options.map(({ id, label }) => ({ id, label })), more: reply.more })
    case 'outputs':
      return JSON.stringify({ outputs: Object.fromEntries(reply.outputs) })
    case 'picks_invalid':
      return JSON.stringify({ picks_invalid: true })
  }
}

/** Reads the opened reply to a question about options. */
export function parseOptionsReply(text: string): Result<OptionsReply | PicksInvalid, readonly Problem[]> {
  const problems: Problems = []
  const from = readObject(problems, parseJson(text), '')
  if (isPicksInvalid(from)) return accept({ kind: 'picks_invalid' })
  const options = readList(problems, memberOf(from, 'options'), 'options', LIMITS.options, readOption)
  const more = memberOf(from, 'more')
  if (typeof more !== 'boolean') {
    problems.push({ path: 'more', problem: `must be true or false, not ${typeName(more)}` })
  }
  const ids = options.map(({ id }) => id)
  const repeated = new Set(ids.filter((id, at) => id !== '' && ids.indexOf(id) !== at))
  for (const id of repeated) problems.push({ path: 'options', problem: `has the id ${JSON.stringify(id)} twice` })
  return problems.length === 0 ? accept({ kind: 'options', options, more: more === true }) : decline(problems)
}

/** Reads the opened reply to a question about outputs. An output that the field type does not declare is refused. */
export function parseOutputsReply(
  text: string,
  declared: readonly Output[],
): Result<OutputsReply | PicksInvalid, readonly Problem[]> {
  const problems: Problems = []
  const from = readObject(problems, parseJson(text), '')
  if (isPicksInvalid(from)) return accept({ kind: 'picks_invalid' })
  const given = readObject(problems, memberOf(from, 'outputs'), 'outputs')
  const outputs = new Map(
    declared.map((output) => [output.key, readOutput(problems, memberOf(given, output.key), output)]),
  )
  for (const key of Object.keys(given).filter((one) => !outputs.has(one))) {
    problems.push({ path: below('outputs', key), problem: 'is not declared by the field type' })
  }
  return problems.length === 0 ? accept({ kind: 'outputs', outputs }) : decline(problems)
}

function readOption(problems: Problems, value: unknown, path: string): PluginOption {
  const from = readObject(problems, value, path)
  return {
    id: readText(problems, memberOf(from, 'id'), below(path, 'id'), LIMITS.idCharacters),
    label: readText(problems, memberOf(from, 'label'), below(path, 'label'), LIMITS.labelCharacters),
  }
}

function readOutput(problems: Problems, value: unknown, { key, type }: Output): PluginValue | null {
  if (value === null) return null
  if (isValueOf(type, value)) return value
  const path = below('outputs', key)
  const problem =
    value === undefined ? 'is declared and absent; send null without a value' : `must be a ${type}, not ${shown(value)}`
  problems.push({ path, problem })
  return null
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : typeName(value)
}

function isPicksInvalid(from: Readonly<Record<string, unknown>>): boolean {
  return memberOf(from, 'picks_invalid') === true
}

function parseJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    return isJsonObject(parsed) ? parsed : null
  } catch {
    return undefined
  }
}
