import type { Tx } from '@sealpost/postgres'
import type { ServiceName } from '../../../services/index.ts'
import { deleteFlowRows } from '../store/flows.ts'

/** Runs in the transaction that deletes the last rows of the service. */
export function deleteFlowsOfService(tx: Tx, service: ServiceName): Promise<void> {
  return deleteFlowRows(tx, service)
}
