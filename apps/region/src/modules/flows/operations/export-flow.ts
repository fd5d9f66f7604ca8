import { writeArchive } from '@sealpost/archive'
import { exportFlow as flowJson, type ExportedAsset } from '@sealpost/flow'
import { refuse } from '@sealpost/protocol'
import { reportMissing } from '../../../platform/missing-object.ts'
import type { FlowsContext } from '../context.ts'
import type { FlowName } from '../model.ts'
import type { Asset } from '../model.ts'
import { listDraftAssets } from '../store/assets.ts'
import { findFlow } from '../store/flows.ts'

/** The draft and its files as one archive; a flow holds so few bytes that they fit into memory. */
export async function exportFlow(context: FlowsContext, flow: FlowName): Promise<Uint8Array> {
  const { draft, assets } = await context.database.read(async (read) => ({
    draft: await findFlow(read, flow),
    assets: await listDraftAssets(read, flow),
  }))
  if (draft === null) throw refuse('flows.not_found')
  const { name, definition } = draft
  const text = JSON.stringify(flowJson({ name, definition, assets: assets.map(exported) }), null, 2)
  const files = await Promise.all(
    assets.map(async (asset) => ({ name: pathOf(asset), bytes: await readAsset(context, asset) })),
  )
  return writeArchive([{ name: 'flow.json', bytes: Buffer.from(text) }, ...files])
}

function exported(asset: Asset): ExportedAsset {
  const { key, kind, mimeType, originalName } = asset
  return { asset_key: key, kind, file: pathOf(asset), mime_type: mimeType, original_name: originalName }
}

const ENDINGS: Readonly<Record<string, string>> = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' }

function pathOf({ key, mimeType }: Asset): string {
  return `assets/${key}.${ENDINGS[mimeType] ?? 'bin'}`
}

async function readAsset(platform: FlowsContext, { objectKey, sha256, bytes }: Asset): Promise<Uint8Array> {
  const found = await platform.objects.get(objectKey, { sha256, maxBytes: bytes })
  if (found.ok) return found.value
  if (found.refusal === 'not_found') reportMissing(platform, objectKey)
  throw new Error(`object ${objectKey} of a flow is ${found.refusal}`)
}
