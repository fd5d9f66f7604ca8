import { refuse } from '@sealpost/protocol'
import type { Caller } from '../../../platform/caller.ts'
import { nameOfService, requireService, type ServiceName } from '../../services/index.ts'
import type { FlowsContext } from '../context.ts'
import type { FlowName } from '../model.ts'
import { findPublishedVersion } from '../store/flows.ts'
import { parseFlowName } from './read-published.ts'

/** The service that a path names, for an author in the portal. */
export async function locateService(context: FlowsContext, caller: Caller, id: string): Promise<ServiceName> {
  return nameOfService(await requireService(context.services, caller, id))
}

/** Runs before the body is validated: the answer to another service's id does not depend on the body. */
export async function locateFlow(
  context: FlowsContext,
  caller: Caller,
  { id, flowId }: { readonly id: string; readonly flowId: string },
): Promise<FlowName> {
  const flow = parseFlowName(await locateService(context, caller, id), flowId)
  const found = await context.database.read((read) => findPublishedVersion(read, flow))
  if (found === null) throw refuse('flows.not_found')
  return flow
}
