import { isPublishable, type PublishFacts } from '@sealpost/flow'
import type { Tx } from '@sealpost/postgres'
import { type PublishIssue, refuse } from '@sealpost/protocol'
import { recordAudit } from '../../account/index.ts'
import { lockPluginFacts } from '../../plugins/index.ts'
import { lockServiceForShare, logService } from '../../services/index.ts'
import type { FlowsContext } from '../context.ts'
import type { FlowName } from '../model.ts'
import type { FlowDraft, NewVersion } from '../model.ts'
import { namedAssets } from '../rules/named-assets.ts'
import { namedPlugins } from '../rules/named-plugins.ts'
import { pinAssets } from '../store/assets.ts'
import { findFlow, lockFlow, setPublishedVersion } from '../store/flows.ts'
import { insertVersion, readPublished } from '../store/versions.ts'
import { draftToken } from '../wire.ts'
import type { Author } from './drafts.ts'
import { isSameFacts, loadFacts } from './publish-facts.ts'
import { takePlugins } from './take-plugins.ts'

type CheckContext = Pick<FlowsContext, 'database' | 'check'>

export async function validateFlow(context: CheckContext, flow: FlowName) {
  const { issues } = await checkDraft(context, flow)
  return { publishable: isPublishable(issues), issues: [...issues] }
}

/** A publication that is overtaken by changes of the request fields or files begins again, this many times. */
const MOST_ATTEMPTS = 3

export async function publishFlow(
  context: FlowsContext,
  flow: FlowName,
  author: Author,
  { draft_token: token }: { readonly draft_token: string },
): Promise<{ version: number; warnings: PublishIssue[] }> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const checked = await checkDraft(context, flow)
    if (draftToken(checked.draft) !== token) throw refuse('flows.draft_conflict')
    if (!isPublishable(checked.issues)) throw refuse('flows.publish_invalid', { issues: [...checked.issues] })
    const version = await publishChecked(context, checked, author)
    if (version !== null) return { version, warnings: [...checked.issues] }
  }
  throw refuse('platform.busy')
}

interface CheckedDraft {
  readonly draft: FlowDraft
  readonly facts: PublishFacts
  readonly issues: readonly PublishIssue[]
}

/** Outside of a transaction: the checks of a large definition take a while. */
async function checkDraft(context: CheckContext, flow: FlowName): Promise<CheckedDraft> {
  const { draft, facts } = await context.database.read(async (read) => {
    const found = await findFlow(read, flow)
    if (found === null) throw refuse('flows.not_found')
    return { draft: found, facts: await loadFacts(read, flow, found.definition) }
  })
  return { draft, facts, issues: await context.check(flow.companyId, { definition: draft.definition, facts }) }
}

/** Null when the facts are no longer those that were checked. The locks keep them and the draft until the commit. */
async function publishChecked(
  context: FlowsContext,
  { draft, facts }: CheckedDraft,
  author: Author,
): Promise<number | null> {
  return context.database.transaction(async (tx) => {
    const service = await lockServiceForShare(tx, draft.companyId, draft.serviceId)
    if (service === null) throw refuse('services.not_found')
    const now = await lockFlow(tx, draft)
    if (now === null) throw refuse('flows.not_found')
    if (draftToken(now) !== draftToken(draft)) throw refuse('flows.draft_conflict')
    await lockPluginFacts(tx, now.companyId, namedPlugins(now.definition))
    if (!isSameFacts(await loadFacts(tx, draft, now.definition), facts)) return null
    return storeVersion(context, tx, await takePlugins(tx, now, null), author)
  })
}

/** The number of the version; a draft that equals the latest version makes no new one. */
async function storeVersion(context: FlowsContext, tx: Tx, draft: FlowDraft, { userId }: Author): Promise<number> {
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
  await recordAudit(tx, { companyId, actorId: userId, action: 'flows.publish', ref: flowId, serviceId, at })
  const metadata = { action: 'flows.publish', actor_id: userId, flow_id: flowId, version }
  const message = `Version ${version} of the flow ${name} was published`
  await logService(context, tx, draft, { type: 'config', message, metadata })
  return version
}
