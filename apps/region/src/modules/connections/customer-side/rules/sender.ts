import type { ServiceAddress } from '../model.ts'

type Sender = Pick<ServiceAddress, 'companyRegion' | 'serviceId'>

/** Whether the service that a message names has this connection or run: a region may act only for its own services. */
export function isOfSender(connection: Sender, sender: Sender): boolean {
  return connection.companyRegion === sender.companyRegion && connection.serviceId === sender.serviceId
}
