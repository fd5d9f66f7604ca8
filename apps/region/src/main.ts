import { runApp } from '@sealpost/process'
import packageJson from '../package.json' with { type: 'json' }
import { startRegion } from './region.ts'
import { regionSettings } from './settings.ts'

await runApp(
  { name: 'region', version: packageJson.version, settings: regionSettings, start: startRegion },
  (settings) => settings,
)
