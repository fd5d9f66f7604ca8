import type { Egress } from '@sealpost/egress'
import type { Clock, Ids, Random, UserId } from '@sealpost/kernel'
import type { Objects } from '@sealpost/objects'
import type { Database, Read } from '@sealpost/postgres'
import type { FoundAccount } from '../../account/index.ts'
import type { CodeCache } from './code-cache.ts'
import type { RowCache } from './request-rows.ts'
import type { RecordName, RecordRow } from './store/records.ts'
import type { ServiceWire } from './wire.ts'

export interface ServiceSideNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly objects: Objects
  readonly egress: Egress
  readonly wire: ServiceWire
  /** Asks the directory. */
  readonly findByShareCode: (shareCode: string) => Promise<FoundAccount | null>
  /** The account keys of the companies among these that the account is a customer of. */
  readonly listCompanyKeys: (
    read: Read,
    accountId: UserId,
    companies: readonly UserId[],
  ) => Promise<ReadonlyMap<UserId, string>>
  readonly rows: RowCache
  readonly codes: CodeCache
  /** One connection as it is now; see [Note: gathered reads]. */
  readonly findRecord: (name: RecordName) => Promise<RecordRow | null>
  /** How long a file that was shared once is kept. */
  readonly shareOnceDays: number
  /** `X-Platform-Content-Sha256`, or as the installation calls it. */
  readonly digestHeader: string
}
