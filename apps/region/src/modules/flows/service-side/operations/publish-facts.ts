import type { PublishFacts } from '@sealpost/flow'
import type { Read } from '@sealpost/postgres'
import { loadRegistry } from '../../../registry/index.ts'
import { listRequestRows } from '../../../services/index.ts'
import type { FlowName } from '../../model.ts'
import { listTemplateScans } from '../store/assets.ts'

/** What the checks of a definition need beside it. No company has plugins yet, so each one that is named is unknown. */
export async function loadFacts(read: Read, flow: FlowName): Promise<PublishFacts> {
  const { companyId, serviceId } = flow
  const rows = await listRequestRows(read, companyId, serviceId)
  return {
    types: await loadRegistry(read),
    requestFields: new Map(rows.map(({ slug, type, audience }) => [slug, { type, audience }])),
    plugins: new Map(),
    templates: await loadTemplates(read, flow),
  }
}

async function loadTemplates(read: Read, flow: FlowName): Promise<ReadonlyMap<string, readonly string[]>> {
  const scans = await listTemplateScans(read, flow)
  return new Map([...scans.keys()].map((key) => [key, []]))
}
