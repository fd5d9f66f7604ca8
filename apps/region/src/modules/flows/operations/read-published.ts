import { parseUuid } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { listRequestRows, type ServiceName } from '../../services/index.ts'
import type { FlowsContext } from '../context.ts'
import type { FlowId, FlowName, FlowVersion } from '../model.ts'
import { findPublishedVersion } from '../store/flows.ts'
import { readPublished } from '../store/versions.ts'
import { publishedToWire } from '../wire.ts'

/** The version with the types of the service's request fields: what a client needs to prepare a run. */
export function readPublishedForRun({ database }: Pick<FlowsContext, 'database'>, flow: FlowName) {
  return database.read(async (read) => {
    const published = await requirePublished(read, flow)
    return publishedToWire(published, await listRequestRows(read, flow.companyId, flow.serviceId))
  })
}

/** Refuses a flow that is unknown, another service's or deleted, and one without a version. */
export async function requirePublished(read: Read, flow: FlowName): Promise<FlowVersion> {
  const published = await readPublished(read, flow)
  if (published !== null) return published
  const isKnown = (await findPublishedVersion(read, flow)) !== null
  throw refuse(isKnown ? 'flows.not_published' : 'flows.not_found')
}

/** The name of the flow that a path names. */
export function parseFlowName(service: ServiceName, flowId: string): FlowName {
  const id = parseUuid<FlowId>(flowId)
  if (id === null) throw refuse('flows.not_found')
  return { companyId: service.companyId, serviceId: service.serviceId, flowId: id }
}
