import { requireOpen } from '@sealpost/session/worker'
import type { PortalContext } from '../context.ts'

/** The owner only. Connections and values go; the key stays with what was signed. */
export async function deleteService(context: PortalContext, serviceId: string): Promise<void> {
  await requireOpen(context).client.company.services.delete(serviceId)
  if (context.serviceKey?.serviceId === serviceId) context.serviceKey = null
  context.changed('services', 'key')
}
