import { refuse } from '@sealpost/protocol'
import { countConnections, listCustomerRegions } from '../../../connections/index.ts'
import { lockService, type ServiceName } from '../../../services/index.ts'
import { validateSize } from '../../rules/sealed-body.ts'
import type { ServiceSideContext } from '../context.ts'
import type { StoredBroadcast } from '../model.ts'
import { insertBroadcast } from '../store/broadcasts.ts'
import { refusalOf } from './send-message.ts'

export interface BroadcastAnswer {
  readonly broadcast_id: string
  readonly recipients: number
}

/** One row on this side and one tell per region: the number of customers costs nothing. */
export async function broadcast(
  { database, clock, ids, settings, messages }: ServiceSideContext,
  service: ServiceName,
  { body: given }: { readonly body: string },
): Promise<BroadcastAnswer> {
  const text = validateSize('/body/body', given)
  if (!text.ok) throw refusalOf(text.refusal)
  const { companyId, serviceId } = service
  return database.transaction(async (tx) => {
    // FOR UPDATE: a customer who is connecting is waited for, or connects after the broadcast.
    if ((await lockService(tx, companyId, serviceId)) === null) throw refuse('services.not_found')
    const recipients = await countConnections(tx, service)
    if (recipients > settings.BROADCAST_MAX) throw refuse('messages.broadcast_audience_too_large')
    const sent: StoredBroadcast = { id: ids.uuid(), body: text.value, recipients, createdAt: clock.now() }
    await insertBroadcast(tx, serviceId, sent)
    for (const region of await listCustomerRegions(tx, serviceId))
      await messages.tellBroadcast(tx, region, service, sent)
    const answer = { broadcast_id: sent.id, recipients }
    await tx.storeAnswer(answer)
    return answer
  })
}
