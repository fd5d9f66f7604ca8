import { migrateAndReport } from '@sealpost/postgres'
import { runCommand } from '@sealpost/process'
import { frontDoorMigrations } from '../compose.ts'
import { frontDoorSettings } from '../settings.ts'

/** `node apps/front-door/src/commands/migrate.ts`: brings the directory's database up to date; safe to run from several machines. */
const { DIRECTORY_DATABASE_URL } = frontDoorSettings
await runCommand({ DIRECTORY_DATABASE_URL }, (settings) =>
  migrateAndReport(settings.DIRECTORY_DATABASE_URL.reveal(), frontDoorMigrations),
)
