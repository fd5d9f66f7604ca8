import type { Tx } from '@sealpost/postgres'
import type { ServiceName } from '../../services/index.ts'
import { discardObjects } from '../../vault/index.ts'
import type { FlowsContext } from '../context.ts'
import { deleteAssetRows } from '../store/assets.ts'
import { deleteFlowRows } from '../store/flows.ts'

/** Runs in the transaction that deletes the last rows of the service. */
export function deleteFlowsOfService(tx: Tx, service: ServiceName): Promise<void> {
  return deleteFlowRows(tx, service)
}

/** A step of the job that deletes a service; answers how many files it deleted. */
export async function deleteAssetsOfService(
  { clock }: Pick<FlowsContext, 'clock'>,
  tx: Tx,
  service: ServiceName,
  limit: number,
): Promise<number> {
  const objects = await deleteAssetRows(tx, service, limit)
  await discardObjects(tx, objects, clock.now())
  return objects.length
}
