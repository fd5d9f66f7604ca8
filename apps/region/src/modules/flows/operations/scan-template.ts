import { availabilityOf, type Definition, templateTagKey } from '@sealpost/flow'
import type { UserId } from '@sealpost/kernel'
import { PDF_REFUSALS, type TemplateScan } from '@sealpost/pdf-format'
import { refuse } from '@sealpost/protocol'
import type { FlowsContext } from '../context.ts'
import type { FlowName } from '../model.ts'
import type { AssetFile } from '../rules/asset-file.ts'
import { findScan } from '../store/assets.ts'
import { findFlow } from '../store/flows.ts'
import { tagsToWire } from '../wire.ts'

/** What a PDF offers as a template; null for a picture. A PDF that could never be filled is refused. */
export async function scanTemplate(
  { reader }: Pick<FlowsContext, 'reader'>,
  companyId: UserId,
  { kind, content }: Pick<AssetFile, 'kind' | 'content'>,
): Promise<TemplateScan | null> {
  if (kind !== 'pdf') return null
  const scan = await reader.scanTemplate(companyId, content)
  if (scan.ok) return scan.value
  if (scan.refusal === 'busy')
    throw refuse('platform.busy', undefined, { sentence: 'Too many PDFs are being read; try again shortly' })
  throw refuse('flows.asset_invalid', undefined, { sentence: PDF_REFUSALS[scan.refusal].replace(/\.$/, '') })
}

/** The tags of a template, compared with the keys of the draft. */
export async function readTags({ database }: Pick<FlowsContext, 'database'>, flow: FlowName, assetKey: string) {
  return database.read(async (read) => {
    const scan = await findScan(read, flow, assetKey)
    if (scan === null) throw refuse('flows.asset_not_found')
    const draft = await findFlow(read, flow)
    if (draft === null) throw refuse('flows.not_found')
    return tagsToWire(assetKey, scan, knownKeys(draft.definition))
  })
}

function knownKeys(definition: Definition): (tag: string) => boolean {
  const { answeredAt, readBy } = availabilityOf(definition)
  return (tag) => {
    const key = templateTagKey(tag)
    return answeredAt.has(key) || readBy.has(key)
  }
}
