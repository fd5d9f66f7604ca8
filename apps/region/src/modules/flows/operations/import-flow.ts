import { ARCHIVE_REFUSALS, readArchive } from '@sealpost/archive'
import { readJson } from '@sealpost/http'
import type { UserId } from '@sealpost/kernel'
import type { TemplateScan } from '@sealpost/pdf-format'
import { refuse } from '@sealpost/protocol'
import { recordAudit } from '../../account/index.ts'
import { lockServiceForShare, type ServiceName } from '../../services/index.ts'
import { keepObject } from '../../vault/index.ts'
import type { FlowsContext } from '../context.ts'
import type { FlowId } from '../model.ts'
import type { Asset, FlowDraft } from '../model.ts'
import { type AssetFile, checkAsset } from '../rules/asset-file.ts'
import { fitsInFlow } from '../rules/asset-limits.ts'
import type { BodyFault } from '../rules/definition-given.ts'
import { type ImportedFile, type ImportedFlow, readArchiveGiven, readImport } from '../rules/import-archive.ts'
import { insertAsset } from '../store/assets.ts'
import { insertFlow } from '../store/flows.ts'
import { draftToWire } from '../wire.ts'
import { storeAsset } from './assets.ts'
import type { Author } from './drafts.ts'
import { scanTemplate } from './scan-template.ts'
import { takePlugins } from './take-plugins.ts'

const MEBIBYTE = 1_048_576
/** All files of a flow, and its definition. */
const LIMITS = { maxEntries: 201, maxEntryBytes: 40 * MEBIBYTE, maxTotalBytes: 44 * MEBIBYTE }

/** A new draft with the files of the archive; all of it, or nothing. */
export async function importFlow(
  context: FlowsContext,
  { companyId, serviceId }: ServiceName,
  { userId }: Author,
  body: { readonly file?: unknown },
) {
  const { name, definition, files } = await requireImport(body.file)
  const stored = await storeFiles(context, companyId, files)
  const now = context.clock.now()
  const flowId: FlowId = context.ids.uuid()
  const draft: FlowDraft = {
    companyId,
    serviceId,
    flowId,
    name: name.trim(),
    definition,
    publishedVersion: null,
    createdAt: now,
    updatedAt: now,
  }
  return context.database.transaction(async (tx) => {
    if ((await lockServiceForShare(tx, companyId, serviceId)) === null) throw refuse('services.not_found')
    const taken = await takePlugins(tx, draft, null)
    await insertFlow(tx, taken)
    for (const { asset, scan } of stored) {
      await keepObject(tx, asset.objectKey)
      await insertAsset(tx, draft, asset, scan)
    }
    await recordAudit(tx, { companyId, actorId: userId, action: 'flows.import', ref: flowId, serviceId, at: now })
    const answer = draftToWire(taken)
    await tx.storeAnswer(answer)
    return answer
  })
}

async function requireImport(given: unknown): Promise<ImportedFlow> {
  const bytes = readArchiveGiven(given)
  if (bytes === null) throw invalid('`file` is not a data URI with base64')
  const archive = await readArchive(bytes, LIMITS)
  if (!archive.ok) throw invalid(ARCHIVE_REFUSALS[archive.refusal].replace(/\.$/, ''))
  const imported = readImport(archive.value, readJson)
  if (!imported.ok) throw invalid(imported.refusal.reason, imported.refusal.details)
  return imported.value
}

function invalid(sentence: string, details: BodyFault[] = []): Error {
  return refuse('flows.import_invalid', { details }, { sentence })
}

interface StoredFile {
  readonly asset: Asset
  readonly scan: TemplateScan | null
}

/** One after the other: an import is no reason to start many processes. Nothing is stored before all are checked. */
async function storeFiles(
  context: FlowsContext,
  companyId: UserId,
  files: readonly ImportedFile[],
): Promise<readonly StoredFile[]> {
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0)
  if (!fitsInFlow({ files: files.length, bytes })) throw refuse('flows.asset_limit')
  const checked = files.map((file) => ({ key: file.key, file: requireAsset(context, file) }))
  const scanned: { key: string; file: AssetFile; scan: TemplateScan | null }[] = []
  for (const one of checked) scanned.push({ ...one, scan: await scanTemplate(context, companyId, one.file) })
  const stored: StoredFile[] = []
  for (const { key, file, scan } of scanned) stored.push({ asset: await storeAsset(context, key, file), scan })
  return stored
}

function requireAsset({ settings }: Pick<FlowsContext, 'settings'>, file: ImportedFile): AssetFile {
  const asset = checkAsset(file, settings)
  if (asset.ok) return asset.value
  throw refuse(asset.refusal.key, undefined, { sentence: `${asset.refusal.reason}: ${file.key}` })
}
