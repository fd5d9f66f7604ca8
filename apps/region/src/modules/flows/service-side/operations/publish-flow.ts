import { checkForPublish, isPublishable, takeSnapshots } from '@sealpost/flow'
import type { Tx } from '@sealpost/postgres'
import { type PublishIssue, refuse } from '@sealpost/protocol'
import { recordAudit } from '../../../account/index.ts'
import { lockServiceForShare, logService } from '../../../services/index.ts'
import type { FlowName } from '../../model.ts'
import type { ServiceSideContext } from '../context.ts'
import type { FlowDraft, NewVersion } from '../model.ts'
import { namedAssets } from '../rules/named-assets.ts'
import { pinAssets } from '../store/assets.ts'
import { findFlow, lockFlow, setPublishedVersion } from '../store/flows.ts'
import { insertVersion, readPublished } from '../store/versions.ts'
import { draftToken } from '../wire.ts'
import type { Author } from './drafts.ts'
import { loadFacts } from './publish-facts.ts'

export async function validateFlow({ database }: Pick<ServiceSideContext, 'database'>, flow: FlowName) {
  const issues = await database.read(async (read) => {
    const draft = await findFlow(read, flow)
    if (draft === null) throw refuse('flows.not_found')
    return checkForPublish(draft.definition, await loadFacts(read, flow))
  })
  return { publishable: isPublishable(issues), issues: [...issues] }
}

/** The locks keep the draft and the request fields as they were checked until the version is stored. */
export async function publishFlow(
  context: ServiceSideContext,
  flow: FlowName,
  { userId }: Author,
  { draft_token: token }: { readonly draft_token: string },
): Promise<{ version: number; warnings: PublishIssue[] }> {
  return context.database.transaction(async (tx) => {
    if ((await lockServiceForShare(tx, flow.companyId, flow.serviceId)) === null) throw refuse('services.not_found')
    const draft = await lockFlow(tx, flow)
    if (draft === null) throw refuse('flows.not_found')
    if (draftToken(draft) !== token) throw refuse('flows.draft_conflict')
    const facts = await loadFacts(tx, flow)
    const issues = checkForPublish(draft.definition, facts)
    if (!isPublishable(issues)) throw refuse('flows.publish_invalid', { issues: [...issues] })
    const definition = takeSnapshots(draft.definition, facts.plugins)
    return { version: await storeVersion(context, tx, { ...draft, definition }, { userId }), warnings: [...issues] }
  })
}

/** The number of the version; a draft that equals the latest version makes no new one. */
async function storeVersion(
  context: ServiceSideContext,
  tx: Tx,
  draft: FlowDraft,
  { userId }: Author,
): Promise<number> {
  const { companyId, serviceId, flowId, name, definition } = draft
  const latest = await readPublished(tx, draft)
  if (latest !== null && draftToken(latest) === draftToken(draft)) return latest.version
  const version = (latest?.version ?? 0) + 1
  const at = context.clock.now()
  const made: NewVersion = {
    companyId,
    serviceId,
    flowId,
    version,
    name,
    definition,
    publishedAt: at,
    publishedBy: userId,
  }
  await insertVersion(tx, made)
  await pinAssets(tx, draft, version, [...namedAssets(definition)])
  await setPublishedVersion(tx, draft, version)
  await recordAudit(tx, { companyId, actorId: userId, action: 'flows.publish', ref: flowId, at })
  const metadata = { action: 'flows.publish', actor_id: userId, flow_id: flowId, version }
  const message = `Version ${version} of the flow ${name} was published`
  await logService(context, tx, draft, { type: 'config', message, metadata })
  return version
}
