import { busMigrations } from '@sealpost/bus'
import { joinMigrations } from '@sealpost/postgres'
import { openAuthorize } from './modules/authorize/index.ts'
import { directoryMigrations, openDirectory } from './modules/directory/index.ts'
import { openInformation } from './modules/information/index.ts'
import { openOAuth } from './modules/oauth/index.ts'
import { openSessions, sessionMigrations } from './modules/sessions/index.ts'
import type { Module, Platform } from './platform/module.ts'

/** Every table of the directory's database, in the order of the names. */
export const frontDoorMigrations = joinMigrations(busMigrations, directoryMigrations, sessionMigrations)

/** The modules, each after those that it calls. */
export function composeFrontDoor(platform: Platform): readonly Module[] {
  const oauth = openOAuth(platform)
  return [
    openDirectory(platform),
    oauth,
    openSessions(platform),
    openAuthorize(platform, oauth),
    openInformation(platform),
  ]
}
