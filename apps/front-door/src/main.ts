import { runApp } from '@sealpost/process'
import packageJson from '../package.json' with { type: 'json' }
import { startFrontDoor } from './front-door.ts'
import { frontDoorSettings } from './settings.ts'

await runApp(
  { name: 'front-door', version: packageJson.version, settings: frontDoorSettings, start: startFrontDoor },
  (settings) => settings,
)
