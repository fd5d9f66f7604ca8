import { createHash } from 'node:crypto'
import type { Read } from '@sealpost/postgres'
import type { FlowRow, ServiceName } from '../../services/index.ts'
import { listCustomerFields } from '../store/versions.ts'

/** The fields of the published versions; a deleted flow asks no more. */
export async function listFlowRequestRows(read: Read, service: ServiceName): Promise<readonly FlowRow[]> {
  const flows = await listCustomerFields(read, service)
  return flows.flatMap(({ flowId, flowName, flowVersion, fields }) =>
    fields.map((field) => ({
      ...field,
      plugin: field.plugin ?? null,
      id: rowId(flowId, field.slug),
      flowId,
      flowName,
      flowVersion,
    })),
  )
}

/** Rows of flows are stored nowhere, so their ids are derived: a UUID of version 8. */
function rowId(flowId: string, slug: string): string {
  const hex = createHash('sha256').update(`${flowId}:${slug}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
