import { joinMigrations } from '@sealpost/postgres'
import { accessMigrations } from './modules/access/index.ts'
import { accountMigrations } from './modules/account/index.ts'
import { servicesMigrations } from './modules/services/index.ts'
