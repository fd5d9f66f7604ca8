import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptSeal } from '../dev/kept-seal.ts'
import { localLogin } from '../infra/bus-folder.ts'
import { knownEngines } from '../infra/known-engines.ts'
import { localFolder } from '../infra/local-folder.ts'
import { COMPOSE_APPS, composeSettings, envFileOf } from './settings.ts'

/** `npm run operate -- compose:settings`: writes what the apps of `compose.yaml` need, once: later runs change nothing. */
export async function writeComposeSettings(): Promise<void> {
  const folder = localFolder('compose')
  const fileOf = (app: string): string => join(folder, `${app}.env`)
  if (existsSync(fileOf(COMPOSE_APPS[0]))) {
    console.log(`${folder} has the settings already; delete it to make new secrets`)
    return
  }
  keptSeal(localFolder('seal'))
  const settings = await composeSettings(knownEngines(), localLogin('forwarder'))
  // The first file last: an interrupted run is repeated whole.
  for (const app of COMPOSE_APPS.toReversed()) writeFileSync(fileOf(app), envFileOf(settings[app]), { mode: 0o600 })
  console.log(`settings written to ${folder}`)
}
