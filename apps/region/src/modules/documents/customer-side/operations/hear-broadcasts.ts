import type { ServiceId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { CustomerContext } from '../context.ts'
import type { Broadcast, DocumentId, ServiceAddress } from '../model.ts'
import { deleteBroadcast, deleteBroadcastsOf, putBroadcast } from '../store/broadcasts.ts'
import { discard } from './hear-copies.ts'

export async function hearBroadcast(
  context: CustomerContext,
  tx: Tx,
  broadcast: Omit<Broadcast, 'file'>,
): Promise<void> {
  await discard(context, tx, await putBroadcast(tx, broadcast))
}

export async function hearBroadcastDeleted(
  context: CustomerContext,
  tx: Tx,
  service: ServiceAddress,
  id: DocumentId,
): Promise<void> {
  for (const { file } of await deleteBroadcast(tx, service, id)) await discard(context, tx, file)
}

/** The service has ended, or tells all its broadcasts again. */
export async function forgetBroadcasts(
  context: Pick<CustomerContext, 'clock'>,
  tx: Tx,
  serviceId: ServiceId,
): Promise<void> {
  for (const { file } of await deleteBroadcastsOf(tx, serviceId)) await discard(context, tx, file)
}
