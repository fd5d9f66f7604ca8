import { accept, decline, type Result } from '@sealpost/kernel'
import type { Definition } from '../definition/definition.ts'
import { DEFINITION_LIMITS as LIMITS } from '../definition/limits.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import type { JsonPointer } from '../definition/pointer.ts'
import {
  readList,
  readMembers,
  readText,
  readTextOr,
  type DefinitionProblem,
  type JsonObject,
  type Notes,
} from '../definition/reading.ts'
import { definitionToJson } from '../definition/write-definition.ts'
import { modernised } from './older-form.ts'

export const FORMAT_VERSION = 1

/** `flow.json` of an export. */
export interface FlowExport {
  readonly name: string
  readonly definition: Definition
  readonly assets: readonly ExportedAsset[]
}

export interface ExportedAsset {
  readonly asset_key: string
  readonly kind: string
  readonly file: string
  readonly mime_type: string
  readonly original_name: string
}

/** Reads a current export, or one of the older form, in which a leaf lists `pdfs` and parties have no types. */
export function importFlow(input: unknown): Result<FlowExport, readonly DefinitionProblem[]> {
  const notes: Notes = { problems: [] }
  const from = readMembers(notes, input, '')
  if (from.object['format_version'] !== FORMAT_VERSION) {
    return decline([{ path: '/format_version', problem: `must be ${FORMAT_VERSION}` }])
  }
  const name = readText(from, 'name', LIMITS.labelCharacters)
  const assets = readList(from, 'assets', LIMITS.assets, readAsset)
  const { definition, whereWritten } = modernised(from.object, name)
  const parsed = parseDefinition(definition)
  if (parsed.ok && notes.problems.length === 0) return accept({ name, definition: parsed.value, assets })
  const inside = parsed.ok ? [] : parsed.refusal.map(({ path, problem }) => ({ path: whereWritten(path), problem }))
  return decline([...notes.problems, ...inside])
}

/** The same `flow.json`, to be read by `importFlow` again. */
export function exportFlow({ name, definition, assets }: FlowExport): JsonObject {
  return { format_version: FORMAT_VERSION, name, ...definitionToJson(definition), assets }
}

function readAsset(notes: Notes, value: unknown, at: JsonPointer): ExportedAsset {
  const from = readMembers(notes, value, at)
  return {
    asset_key: readText(from, 'asset_key', LIMITS.nameCharacters),
    kind: readTextOr(from, 'kind', LIMITS.nameCharacters, 'pdf'),
    file: readText(from, 'file', LIMITS.labelCharacters),
    mime_type: readTextOr(from, 'mime_type', LIMITS.nameCharacters, ''),
    original_name: readTextOr(from, 'original_name', LIMITS.labelCharacters, ''),
  }
}
