import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { ServiceFacts } from '@sealpost/protocol'
import type { NewRequest } from './store/requests.ts'

/** A connection, as both sides name it. */
export interface ConnectionName {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly id: ConnectionId
  readonly customerId: UserId
}

/** What this side tells the customers' regions, and asks of other companies' regions; `bus/service.ts` carries it. */
export interface ServiceWire {
  tellOpened(tx: Tx, region: string, connection: ConnectionName, connectedAt: Instant): Promise<void>
  tellEnded(tx: Tx, region: string, connection: ConnectionName, by: 'customer' | 'service'): Promise<void>
  tellFacts(tx: Tx, region: string, facts: ServiceFacts): Promise<void>
  tellServiceEnded(tx: Tx, region: string, service: { companyId: UserId; serviceId: ServiceId }): Promise<void>
  tellRequested(tx: Tx, request: NewRequest, shown: ShownRequest): Promise<void>
  tellRequestClosed(tx: Tx, request: Pick<NewRequest, 'id' | 'customerId' | 'customerRegion'>): Promise<void>
  /** Null when the company has no such service. */
  lookUpService(region: string, companyId: UserId, code: string): Promise<ServiceFacts | null>
}

/** What a person sees of a connect request. */
export interface ShownRequest {
  readonly company: { readonly displayName: string; readonly shareCode: string }
  readonly serviceName: string
  readonly serviceCode: string
  readonly message: string | null
}
