import type { Clock, RegionCode, UserId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import type { AccountDirectory } from './directory.ts'
import { insertCompany } from './store.ts'

export interface AccountNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly region: RegionCode
  readonly directory: AccountDirectory
}

export interface NewCompany {
  readonly id: UserId
  readonly displayName: string
  readonly level: Level
}

/** The directory learns of the account first: a company nobody can find is harmless, a found one that is missing is not. */
export async function createCompany(needs: AccountNeeds, company: NewCompany): Promise<void> {
  await needs.directory.putAccount({
    userId: company.id,
    userType: 'company',
    region: needs.region,
    level: company.level,
  })
  await needs.database.transaction((tx) => insertCompany(tx, { ...company, createdAt: needs.clock.now() }))
}
