import type { FileCaps } from '@sealpost/field-types'
import type { Clock, Ids, Keyring, Random } from '@sealpost/kernel'
import type { Objects } from '@sealpost/objects'
import type { Database } from '@sealpost/postgres'
import type { MailNeeds } from '../mail/index.ts'
import type { VaultHooks } from './hooks.ts'
import type { StatementVerifier } from './verification/verifiers.ts'

export interface VaultNeeds {
  readonly database: Database
  readonly objects: Objects
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  /** What one file of a field may have; settings of the installation. */
  readonly caps: FileCaps
  readonly hooks: VaultHooks
  /** For codes that are mailed. */
  readonly mail: MailNeeds
  readonly pepper: Keyring
  readonly verifiers: readonly StatementVerifier[]
}
