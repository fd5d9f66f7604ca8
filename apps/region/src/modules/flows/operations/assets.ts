import { type PageQueryText, refuse } from '@sealpost/protocol'
import { listPage, type Slice } from '../../../platform/page.ts'
import { lockServiceForShare } from '../../services/index.ts'
import { announceObject, discardObjects, keepObject } from '../../vault/index.ts'
import type { FlowsContext } from '../context.ts'
import type { FlowName } from '../model.ts'
import type { Asset } from '../model.ts'
import { type AssetFile, readAssetGiven } from '../rules/asset-file.ts'
import { fitsInFlow } from '../rules/asset-limits.ts'
import { countAssets, deleteAssetRow, insertAsset, listAssetRows, lockDraftAsset } from '../store/assets.ts'
import { lockFlow } from '../store/flows.ts'
import { assetToWire } from '../wire.ts'
import { scanTemplate } from './scan-template.ts'

export async function addAsset(
  context: FlowsContext,
  flow: FlowName,
  body: { readonly file?: unknown; readonly original_name: string },
) {
  const file = readAssetGiven(body.file, body.original_name, context.settings)
  if (!file.ok) throw refuse(file.refusal.key, undefined, { sentence: file.refusal.reason })
  const scan = await scanTemplate(context, flow.companyId, file.value)
  const asset = await storeAsset(context, newAssetKey(context), file.value)
  return context.database.transaction(async (tx) => {
    if ((await lockServiceForShare(tx, flow.companyId, flow.serviceId)) === null) throw refuse('services.not_found')
    // Locks the flow, so that two uploads count each other.
    if ((await lockFlow(tx, flow)) === null) throw refuse('flows.not_found')
    const { files, bytes } = await countAssets(tx, flow)
    if (!fitsInFlow({ files: files + 1, bytes: bytes + asset.bytes })) throw refuse('flows.asset_limit')
    await keepObject(tx, asset.objectKey)
    await insertAsset(tx, flow, asset, scan)
    await tx.storeAnswer(assetToWire(asset))
    return assetToWire(asset)
  })
}

/** Stores the bytes; the object is garbage until a transaction keeps it. */
export async function storeAsset(
  context: Pick<FlowsContext, 'database' | 'clock' | 'random' | 'objects'>,
  key: string,
  { kind, mimeType, originalName, content }: AssetFile,
): Promise<Asset> {
  const objectKey = await announceObject(context)
  const stored = await context.objects.put(objectKey, content, { contentType: mimeType })
  if (!stored.ok) throw new Error('a file changed while it was stored')
  const { sha256, sizeBytes: bytes } = stored.value
  return { key, kind, mimeType, originalName, objectKey, sha256, bytes, createdAt: context.clock.now() }
}

/** Of the form of other keys of a definition. */
function newAssetKey({ ids }: Pick<FlowsContext, 'ids'>): string {
  return `a${ids.uuid().replaceAll('-', '')}`
}

export function listAssets({ database }: Pick<FlowsContext, 'database'>, flow: FlowName, query: PageQueryText) {
  const list = {
    name: 'flow-assets',
    idOf: ({ key }: Asset) => key,
    toWire: assetToWire,
    readId: (text: string) => text,
  }
  return listPage(list, query, (slice: Slice) => database.read((read) => listAssetRows(read, flow, slice)))
}

export async function deleteAsset(
  { database, clock }: Pick<FlowsContext, 'database' | 'clock'>,
  flow: FlowName,
  key: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    // Locks the flow, so that no version pins the file meanwhile.
    if ((await lockFlow(tx, flow)) === null) throw refuse('flows.not_found')
    const asset = await lockDraftAsset(tx, flow, key)
    if (asset === null) throw refuse('flows.asset_not_found')
    const isGone = await deleteAssetRow(tx, flow, key, clock.now())
    if (isGone) await discardObjects(tx, [asset.objectKey], clock.now())
  })
}
