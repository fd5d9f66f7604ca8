import { type ConnectionId, parseUuid } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { Caller } from '../../../../platform/caller.ts'
import { SEALED_TYPE, sendDownload } from '../../../../platform/downloads.ts'
import { findConnection, findLinkedFile } from '../../../connections/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { StoredObject } from '../model.ts'
import { locateRun } from '../operations/read-runs.ts'
import { findSlotFile } from './acts.ts'

interface LinkParams {
  readonly connectionId: string
  readonly flowId: string
  readonly slug: string
}

export interface LinkedFile extends StoredObject {
  /** Null for JSON. */
  readonly rawType: string | null
}

/** Another service's connection answers like a missing one. */
export async function locateLinkedFile(
  context: ServiceSideContext,
  service: ServiceName,
  { connectionId: text, flowId, slug }: LinkParams,
): Promise<LinkedFile> {
  const { serviceId } = service
  const connectionId = parseUuid<ConnectionId>(text)
  const found = await context.database.read(async (read) => {
    if (connectionId === null || (await findConnection(read, serviceId, connectionId)) === null)
      throw refuse('company_data.connection_not_found')
    return parseUuid(flowId) === null ? null : findLinkedFile(read, serviceId, { connectionId, flowId, slug })
  })
  if (found === null) throw refuse('company_data.file_not_found')
  // The field has not changed since the turn: the copy of the run is the current one.
  if ('runId' in found)
    return { ...(await findSlotFile(context, await locateRun(context, service, found.runId), slug)), rawType: null }
  const { objectKey, sha256, bytes, contentType, form } = found
  return { objectKey, sha256, bytes, rawType: form === 'raw' ? contentType : null }
}

export function sendLinked(context: ServiceSideContext, caller: Caller, { rawType, ...file }: LinkedFile) {
  return sendDownload(context, caller, file, rawType ?? SEALED_TYPE)
}
