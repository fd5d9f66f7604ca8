import { type Read, runStatement } from '@sealpost/postgres'
import type { FlowName } from '../../../flows/index.ts'

/** The steps at which runs of the version await a party. */
export async function listAwaitingSteps(
  read: Read,
  { companyId, serviceId, flowId }: FlowName,
  version: number,
): Promise<readonly string[]> {
  const rows = await runStatement<{ step: string }>(
    read,
    `select distinct current_node as step from flows_service.run
    where company_id = $1 and service_id = $2 and flow_id = $3 and flow_version = $4
      and starts_with(status, 'awaiting_') and status <> 'awaiting_signature'`,
    [companyId, serviceId, flowId, version],
  )
  return rows.map(({ step }) => step)
}
