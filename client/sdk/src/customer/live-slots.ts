import type { CallOptions } from '../options.ts'
import { listOwnConnections } from './own-connections.ts'
import type { CustomerSession } from './session.ts'

/** A slot of a service that follows a field of the customer. */
export interface LiveSlot {
  readonly connectionId: string
  readonly slug: string
  readonly serviceId: string
  readonly publicKey: string
}

export async function liveSlotsOf(
  session: CustomerSession,
  fieldId: string,
  options: CallOptions,
): Promise<readonly LiveSlot[]> {
  const slots: LiveSlot[] = []
  for await (const { id, services } of listOwnConnections(session.send, options)) {
    for (const { service_id: serviceId, public_key: publicKey, mappings } of services) {
      const fed = mappings.filter((mapping) => mapping.live && mapping.source_field_id === fieldId)
      for (const { slug } of fed) slots.push({ connectionId: id, slug, serviceId, publicKey })
    }
  }
  return slots
}
