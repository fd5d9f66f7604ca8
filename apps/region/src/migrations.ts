import { busMigrations } from '@sealpost/bus'
import { idempotencyMigrations } from '@sealpost/http'
import { joinMigrations } from '@sealpost/postgres'
import { accessMigrations } from './modules/access/index.ts'
import { accountMigrations } from './modules/account/index.ts'
import { clientsMigrations } from './modules/clients/index.ts'
import { customerMigrations, serviceSideMigrations } from './modules/connections/index.ts'
import { feedMigrations } from './modules/feed/index.ts'
import { grantsMigrations } from './modules/grants/index.ts'
import { loginMigrations } from './modules/login/index.ts'
import { mailMigrations } from './modules/mail/index.ts'
import { registryMigrations } from './modules/registry/index.ts'
import { servicesMigrations } from './modules/services/index.ts'
import { garbageMigrations, photoMigrations, vaultMigrations } from './modules/vault/index.ts'
import { webhooksMigrations } from './modules/webhooks/index.ts'

/** Everything a region's database holds, in the order of the names. */
export const regionMigrations = joinMigrations(
  busMigrations,
  idempotencyMigrations,
  accountMigrations,
  accessMigrations,
  servicesMigrations,
  clientsMigrations,
  loginMigrations,
  grantsMigrations,
  mailMigrations,
  feedMigrations,
  registryMigrations,
  vaultMigrations,
  garbageMigrations,
  photoMigrations,
  serviceSideMigrations,
  customerMigrations,
  webhooksMigrations,
)
