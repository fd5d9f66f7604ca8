import { runApp } from '@sealpost/process'
import packageJson from '../package.json' with { type: 'json' }
import { frontDoorSettings } from './settings.ts'
import { startFrontDoor } from './start.ts'

await runApp(
  { name: 'front-door', version: packageJson.version, settings: frontDoorSettings, start: startFrontDoor },
  (settings) => settings,
)
