import type { RegionCode, UserId } from '@sealpost/kernel'
import type { Level } from '@sealpost/protocol'

/** What this module asks of the global directory; `bus.ts` carries it. */
export interface AccountDirectory {
  putAccount(account: DirectoryAccount): Promise<void>
}

export interface DirectoryAccount {
  readonly userId: UserId
  readonly userType: 'person' | 'company'
  readonly region: RegionCode
  readonly level: Level
}
