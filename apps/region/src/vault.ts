import type { Clock, Ids, Random } from '@sealpost/kernel'
import type { Objects } from '@sealpost/objects'
import type { Database } from '@sealpost/postgres'
import type { MailNeeds } from './modules/mail/index.ts'
import type { VaultHooks, VaultNeeds } from './modules/vault/index.ts'
import type { RegionSettings } from './settings.ts'

export interface VaultCore {
  readonly settings: RegionSettings
  readonly database: Database
  readonly objects: Objects
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly mail: MailNeeds
}

export function vaultNeeds({ settings, ...core }: VaultCore, hooks: VaultHooks): VaultNeeds {
  return {
    ...core,
    hooks,
    caps: { documentMaxMb: settings.DOCUMENT_MAX_MB, photoMaxMb: settings.PHOTO_MAX_MB },
    pepper: settings.SECRET_PEPPER,
    verifiers: settings.VERIFIERS,
  }
}
