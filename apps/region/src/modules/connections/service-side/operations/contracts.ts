import type { ConnectionId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { ServiceName } from '../../../services/index.ts'
import { addOpenContracts } from '../store/connections.ts'

/** While a contract is open, neither side can end the connection. False when there is no such connection. */
export async function changeOpenContracts(
  tx: Tx,
  { serviceId }: ServiceName,
  connectionId: ConnectionId,
  by: 1 | -1,
): Promise<boolean> {
  return (await addOpenContracts(tx, serviceId, connectionId, by)) !== null
}
