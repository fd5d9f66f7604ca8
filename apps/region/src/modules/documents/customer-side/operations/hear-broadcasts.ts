import type { ServiceId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { readTime } from '../../../../platform/bus-values.ts'
import { announce } from '../../../connections/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Broadcast, DocumentId, ServiceAddress } from '../model.ts'
import { deleteBroadcast, deleteBroadcastsOf, putBroadcast } from '../store/broadcasts.ts'
import { discard } from './hear-copies.ts'

/** One row for all customers here; a job tells them of a new one. */
export async function hearBroadcast(
  context: CustomerContext,
  tx: Tx,
  broadcast: Omit<Broadcast, 'file'>,
): Promise<void> {
  const { isNew, replaced } = await putBroadcast(tx, broadcast)
  await discard(context, tx, replaced)
  if (!isNew) return
  const { serviceId, companyRegion, id, facts } = broadcast
  const at = readTime(facts.state.created_at)
  await announce(context, tx, { serviceId, companyRegion, kind: 'document', id, at })
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
