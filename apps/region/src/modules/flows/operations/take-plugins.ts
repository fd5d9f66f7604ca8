import { type Definition, takeSnapshots } from '@sealpost/flow'
import type { Tx } from '@sealpost/postgres'
import { lockPluginFacts, recordUses } from '../../plugins/index.ts'
import type { FlowName } from '../model.ts'
import type { FlowDraft } from '../model.ts'
import { namedPlugins } from '../rules/named-plugins.ts'

/**
 * The draft with the descriptions that its plugins have now, and the flow as a user of them. `published`: the latest
 * version, which depends on its plugins as long as it can be started.
 */
export async function takePlugins(tx: Tx, draft: FlowDraft, published: Definition | null): Promise<FlowDraft> {
  const { companyId, flowId, name } = draft
  const ids = [draft.definition, ...(published === null ? [] : [published])].flatMap(namedPlugins)
  const facts = await lockPluginFacts(tx, companyId, ids)
  const uses = [...facts.keys()].map((pluginId) => ({ pluginId, id: flowId, name }))
  await recordUses(tx, ownerOf(draft), uses)
  return { ...draft, definition: takeSnapshots(draft.definition, facts) }
}

/** A deleted flow uses nothing itself; its runs do, as long as they need a plugin. */
export function releasePlugins(tx: Tx, flow: FlowName): Promise<void> {
  return recordUses(tx, ownerOf(flow), [])
}

function ownerOf({ companyId, serviceId, flowId }: FlowName) {
  return { companyId, kind: 'flow', ownerId: serviceId, id: flowId } as const
}
