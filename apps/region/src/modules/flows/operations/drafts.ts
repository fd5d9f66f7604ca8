import type { Definition } from '@sealpost/flow'
import type { UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { listPage } from '../../../platform/page.ts'
import { recordAudit } from '../../account/index.ts'
import { lockServiceForShare, type ServiceName } from '../../services/index.ts'
import type { FlowsContext } from '../context.ts'
import type { FlowId, FlowName } from '../model.ts'
import type { FlowDraft, FlowSummary } from '../model.ts'
import { EMPTY_DEFINITION, readDefinitionGiven } from '../rules/definition-given.ts'
import { findFlow, insertFlow, listFlowRows, lockFlow, updateDraft } from '../store/flows.ts'
import { readPublished } from '../store/versions.ts'
import { draftToken, draftToWire, summaryToWire } from '../wire.ts'
import { takePlugins } from './take-plugins.ts'

/** The author of a change. */
export interface Author {
  readonly userId: UserId
}

export function listFlows(context: FlowsContext, service: ServiceName, query: Parameters<typeof listPage>[1]) {
  const list = { name: 'flows', idOf: ({ id }: FlowSummary) => id, toWire: summaryToWire }
  return listPage(list, query, (slice: Parameters<typeof listFlowRows>[2]) =>
    context.database.read((read) => listFlowRows(read, service, slice)),
  )
}

export async function createFlow(
  context: FlowsContext,
  service: ServiceName,
  { userId }: Author,
  body: { readonly name: string; readonly definition?: unknown },
) {
  const definition = body.definition === undefined ? EMPTY_DEFINITION : requireDefinition(body.definition)
  const now = context.clock.now()
  const { companyId, serviceId } = service
  const name = body.name.trim()
  const flowId: FlowId = context.ids.uuid()
  const draft = {
    companyId,
    serviceId,
    flowId,
    name,
    definition,
    publishedVersion: null,
    createdAt: now,
    updatedAt: now,
  }
  return context.database.transaction(async (tx) => {
    if ((await lockServiceForShare(tx, companyId, serviceId)) === null) throw refuse('services.not_found')
    const taken = await takePlugins(tx, draft, null)
    await insertFlow(tx, taken)
    await recordAudit(tx, { companyId, actorId: userId, action: 'flows.create', ref: flowId, serviceId, at: now })
    const answer = draftToWire(taken)
    await tx.storeAnswer(answer)
    return answer
  })
}

export async function readFlow({ database }: Pick<FlowsContext, 'database'>, flow: FlowName) {
  const draft = await database.read((read) => findFlow(read, flow))
  if (draft === null) throw refuse('flows.not_found')
  return draftToWire(draft)
}

/** The second of two authors who changed the same draft is refused: its token is outdated. */
export async function changeFlow(
  { database, clock }: Pick<FlowsContext, 'database' | 'clock'>,
  flow: FlowName,
  body: { readonly draft_token: string; readonly name?: string; readonly definition?: unknown },
) {
  const definition = requireDefinition(body.definition)
  return database.transaction(async (tx) => {
    const before = await lockFlow(tx, flow)
    if (before === null) throw refuse('flows.not_found')
    if (draftToken(before) !== body.draft_token) throw refuse('flows.draft_conflict')
    const given: FlowDraft = {
      ...before,
      name: body.name?.trim() ?? before.name,
      definition,
      updatedAt: clock.now(),
    }
    const published = before.publishedVersion === null ? null : await readPublished(tx, flow)
    const after = await takePlugins(tx, given, published?.definition ?? null)
    await updateDraft(tx, after)
    return draftToWire(after)
  })
}

function requireDefinition(given: unknown): Definition {
  const definition = readDefinitionGiven(given)
  if (!definition.ok) throw refuse('request.invalid', { details: definition.refusal })
  return definition.value
}
