import type { ArchiveEntry } from '@sealpost/archive'
import { isKey } from '@sealpost/expression'
import { parseDataUri } from '@sealpost/field-types'
import { type ExportedAsset, type FlowExport, importFlow } from '@sealpost/flow'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { BodyFault } from './definition-given.ts'

const MEBIBYTE = 1_048_576
const FLOW_JSON = 'flow.json'
const LONGEST_NAME = 200

export interface ImportRefusal {
  readonly reason: string
  readonly details: BodyFault[]
}

export interface ImportedFile {
  readonly key: string
  readonly originalName: string
  readonly content: Uint8Array
}

export interface ImportedFlow extends FlowExport {
  readonly files: readonly ImportedFile[]
}

/** The archive of a data URI; null for another text. */
export function readArchiveGiven(given: unknown): Uint8Array | null {
  const parts = typeof given === 'string' ? parseDataUri(given) : null
  return parts === null || parts.base64 === '' ? null : Buffer.from(parts.base64, 'base64')
}

type ReadJson = (bytes: Uint8Array) => Result<unknown, BodyFault>

/** The flow of an archive. Each file of the archive must be named, and each named one must be there. */
export function readImport(archive: readonly ArchiveEntry[], readJson: ReadJson): Result<ImportedFlow, ImportRefusal> {
  const entries = new Map(archive.map((entry) => [entry.name, entry]))
  const flow = readFlowJson(entries.get(FLOW_JSON), readJson)
  return flow.ok ? withFiles(flow.value, entries) : flow
}

function readFlowJson(entry: ArchiveEntry | undefined, readJson: ReadJson): Result<FlowExport, ImportRefusal> {
  if (entry === undefined) return refused(`The archive has no ${FLOW_JSON}`)
  if (entry.bytes.length > 4 * MEBIBYTE) return refused(`${FLOW_JSON} has more than 4 MiB`)
  const json = readJson(entry.bytes)
  if (!json.ok) return refused(`${FLOW_JSON} cannot be read`, [json.refusal])
  const flow = importFlow(json.value)
  if (!flow.ok) {
    return refused(
      `${FLOW_JSON} holds no flow`,
      flow.refusal.map(({ path, problem }) => ({ path, message: problem })),
    )
  }
  const { name } = flow.value
  if (name.trim() === '' || name.length > LONGEST_NAME) {
    return refused('The name of the flow is blank or too long', [
      { path: '/name', message: `must have 1 to ${LONGEST_NAME} characters` },
    ])
  }
  return flow
}

function withFiles(flow: FlowExport, entries: ReadonlyMap<string, ArchiveEntry>): Result<ImportedFlow, ImportRefusal> {
  const keys = new Set(flow.assets.map(({ asset_key: key }) => key))
  const named = new Set([FLOW_JSON, ...flow.assets.map(({ file }) => file)])
  const stray = [...entries.keys()].find((name) => !named.has(name))
  if (stray !== undefined) return refused(`The archive has a file that ${FLOW_JSON} does not name: ${stray}`)
  if (keys.size < flow.assets.length) return refused('Two files have the same asset_key')
  const files: ImportedFile[] = []
  for (const [place, asset] of flow.assets.entries()) {
    const file = fileOf(asset, entries)
    if (file === null) return refused('A file is missing', [{ path: `/assets/${place}`, message: 'has no such file' }])
    files.push(file)
  }
  return accept({ ...flow, files })
}

function fileOf(asset: ExportedAsset, entries: ReadonlyMap<string, ArchiveEntry>): ImportedFile | null {
  const entry = entries.get(asset.file)
  if (entry === undefined || !isKey(asset.asset_key) || !asset.file.startsWith('assets/')) return null
  return { key: asset.asset_key, originalName: asset.original_name || asset.file, content: entry.bytes }
}

function refused(reason: string, details: BodyFault[] = []): Result<never, ImportRefusal> {
  return decline({ reason, details })
}
