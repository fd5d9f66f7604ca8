import { runApp } from '@sealpost/process'
import packageJson from '../package.json' with { type: 'json' }
import { startForwarder } from './forwarder.ts'
import { forwarderSettings } from './settings.ts'

await runApp(
  { name: 'forwarder', version: packageJson.version, settings: forwarderSettings, start: startForwarder },
  (settings) => settings,
)
