import { runApp } from '@sealpost/process'
import packageJson from '../package.json' with { type: 'json' }
import { regionSettings } from './settings.ts'
import { startRegion } from './start.ts'

await runApp(
  { name: 'region', version: packageJson.version, settings: regionSettings, start: startRegion },
  (settings) => settings,
)
