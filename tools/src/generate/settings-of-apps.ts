import { forwarderSettings } from '@sealpost/forwarder/settings'
import { frontDoorSettings } from '@sealpost/front-door/settings'
import type { SettingsTable } from '@sealpost/kernel'
import { regionSettings } from '@sealpost/region/settings'
import { webSettings } from '@sealpost/web/settings'

export interface AppSettings {
  readonly app: string
  readonly about: string
  readonly table: SettingsTable
}

/** The settings tables of all apps. */
export const settingsOfApps: readonly AppSettings[] = [
  { app: 'front-door', about: 'The global address that authenticates and routes.', table: frontDoorSettings },
  { app: 'region', about: 'One cell: all data of the accounts that live there.', table: regionSettings },
  { app: 'forwarder', about: 'Carries sealed questions to plugins.', table: forwarderSettings },
  { app: 'web', about: 'Serves the files of a web app; one process for each.', table: webSettings },
]
