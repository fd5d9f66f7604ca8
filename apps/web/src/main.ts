import { runApp } from '@sealpost/process'
import packageJson from '../package.json' with { type: 'json' }
import { webSettings } from './settings.ts'
import { startWeb } from './web.ts'

await runApp(
  { name: 'web', version: packageJson.version, settings: webSettings, start: startWeb },
  (settings) => settings,
)
