import type { PluginBlock, PluginInput, PluginOutput, PluginSnapshot } from './definition.ts'
import { DEFINITION_LIMITS as LIMITS } from './limits.ts'
import { pointer, type JsonPointer } from './pointer.ts'
import {
  isAbsent,
  listAt,
  member,
  note,
  present,
  readFlag,
  readList,
  readMembers,
  readOneOf,
  readText,
  readTextOr,
  textAt,
  type Members,
  type Notes,
} from './reading.ts'

const VALUE_TYPES = ['number', 'date', 'boolean', 'text'] as const

/** A plugin's description at the moment at which the flow was saved. */
export function readSnapshot(notes: Notes, value: unknown, at: JsonPointer): PluginSnapshot {
  const from = readMembers(notes, value, at)
  return {
    plugin_name: readTextOr(from, 'plugin_name', LIMITS.labelCharacters, ''),
    host: readTextOr(from, 'host', LIMITS.labelCharacters, ''),
    label: readTextOr(from, 'label', LIMITS.labelCharacters, ''),
    blocks: readList(from, 'blocks', LIMITS.pluginMembers, readBlock),
    inputs: readList(from, 'inputs', LIMITS.pluginMembers, readInput),
    outputs: readList(from, 'outputs', LIMITS.pluginMembers, readOutputValue),
  }
}

function readBlock(notes: Notes, value: unknown, at: JsonPointer): PluginBlock {
  const from = readMembers(notes, value, at)
  return present({
    key: readPluginKey(from),
    kind: readOneOf(from, 'kind', ['search_select', 'text', 'number', 'date']),
    label: readTextOr(from, 'label', LIMITS.labelCharacters, ''),
    depends_on: readDependsOn(from),
  })
}

function readDependsOn(from: Members): readonly string[] | undefined {
  const value = member(from, 'depends_on')
  if (isAbsent(value)) return undefined
  const at = pointer(from.at, 'depends_on')
  return typeof value === 'string' ? [value] : listAt(from.notes, value, at, LIMITS.pluginMembers, readName)
}

function readInput(notes: Notes, value: unknown, at: JsonPointer): PluginInput {
  const from = readMembers(notes, value, at)
  return {
    key: readText(from, 'key', LIMITS.nameCharacters),
    type: readOneOf(from, 'type', VALUE_TYPES),
    label: readTextOr(from, 'label', LIMITS.labelCharacters, ''),
    required: readFlag(from, 'required'),
  }
}

function readOutputValue(notes: Notes, value: unknown, at: JsonPointer): PluginOutput {
  const from = readMembers(notes, value, at)
  return {
    key: readPluginKey(from),
    type: readOneOf(from, 'type', VALUE_TYPES),
    label: readTextOr(from, 'label', LIMITS.labelCharacters, ''),
  }
}

/** `slug.<block>.id` names a pick, so no block or output may be called `id`. */
function readPluginKey(from: Members): string {
  const key = readText(from, 'key', LIMITS.nameCharacters)
  if (!PLUGIN_KEY.test(key) || key === 'id') note(from.notes, pointer(from.at, 'key'), 'is not a key of a plugin value')
  return key
}

const PLUGIN_KEY = /^[a-z][a-z0-9_]{0,39}$/

function readName(notes: Notes, value: unknown, at: JsonPointer): string {
  return textAt(notes, value, at, LIMITS.nameCharacters)
}
