import type { Definition, PluginFact, PublishFacts } from '@sealpost/flow'
import type { Read } from '@sealpost/postgres'
import { readPluginFacts } from '../../plugins/index.ts'
import { loadRegistry } from '../../registry/index.ts'
import { listRequestRows } from '../../services/index.ts'
import type { FlowName } from '../model.ts'
import { namedPlugins } from '../rules/named-plugins.ts'
import { listTemplateTags } from '../store/assets.ts'

/** What the checks of a definition need beside it. */
export async function loadFacts(read: Read, flow: FlowName, definition: Definition): Promise<PublishFacts> {
  const { companyId, serviceId } = flow
  const rows = await listRequestRows(read, companyId, serviceId)
  return {
    types: await loadRegistry(read),
    requestFields: new Map(rows.map(({ slug, type, audience }) => [slug, { type, audience }])),
    plugins: await readPluginFacts(read, companyId, namedPlugins(definition)),
    templates: await listTemplateTags(read, flow),
  }
}

/** The registry is left out: types are added and never removed or changed. */
export function isSameFacts(one: PublishFacts, other: PublishFacts): boolean {
  return factsText(one) === factsText(other)
}

function factsText({ requestFields, plugins, templates }: PublishFacts): string {
  return JSON.stringify([[...requestFields], [...plugins].map(pluginFact), [...templates]])
}

function pluginFact([id, { name, host, fieldTypes }]: readonly [string, PluginFact]): unknown {
  return [id, name, host, fieldTypes === null ? null : [...fieldTypes]]
}
