import type { PublishFacts } from '@sealpost/flow'
import type { Read } from '@sealpost/postgres'
import { loadRegistry } from '../../../registry/index.ts'
import { listRequestRows } from '../../../services/index.ts'
import type { FlowName } from '../../model.ts'
import { listTemplateTags } from '../store/assets.ts'

/** What the checks of a definition need beside it. No company has plugins yet, so each one that is named is unknown. */
export async function loadFacts(read: Read, flow: FlowName): Promise<PublishFacts> {
  const { companyId, serviceId } = flow
  const rows = await listRequestRows(read, companyId, serviceId)
  return {
    types: await loadRegistry(read),
    requestFields: new Map(rows.map(({ slug, type, audience }) => [slug, { type, audience }])),
    plugins: new Map(),
    templates: await listTemplateTags(read, flow),
  }
}

/** The registry is left out: types are added and never removed or changed. */
export function isSameFacts(one: PublishFacts, other: PublishFacts): boolean {
  return factsText(one) === factsText(other)
}

function factsText({ requestFields, plugins, templates }: PublishFacts): string {
  return JSON.stringify([[...requestFields], [...plugins.keys()], [...templates]])
}
