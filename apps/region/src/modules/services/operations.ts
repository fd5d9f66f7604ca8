import type { Clock, ServiceId, UserId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { insertService } from './store.ts'

export interface ServicesNeeds {
  readonly database: Database
  readonly clock: Clock
}

export interface NewService {
  readonly companyId: UserId
  readonly id: ServiceId
  readonly name: string
}

export async function createService(needs: ServicesNeeds, service: NewService): Promise<void> {
  await needs.database.transaction((tx) => insertService(tx, { ...service, createdAt: needs.clock.now() }))
}
