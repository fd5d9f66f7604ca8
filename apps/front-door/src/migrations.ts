import { busMigrations } from '@sealpost/bus'
import { joinMigrations } from '@sealpost/postgres'
import { directoryMigrations } from './directory/index.ts'
import { sessionMigrations } from './sessions/index.ts'

/** Everything the directory's database holds, in the order of the names. */
export const frontDoorMigrations = joinMigrations(busMigrations, directoryMigrations, sessionMigrations)
