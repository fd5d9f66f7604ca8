export { type RunningForwarder, startForwarder } from './forwarder.ts'
export { type ForwarderSettings, forwarderSettings } from './settings.ts'
