import { migrateAndReport } from '@sealpost/postgres'
import { runCommand } from '@sealpost/process'
import { regionMigrations } from '../compose.ts'
import { regionSettings } from '../settings.ts'

/** `node apps/region/src/commands/migrate.ts`: brings the region's database up to date; safe to run from several machines. */
await runCommand({ DATABASE_URL: regionSettings.DATABASE_URL }, ({ DATABASE_URL }) =>
  migrateAndReport(DATABASE_URL.reveal(), regionMigrations),
)
