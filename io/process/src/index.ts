export { type App, type AppNeeds, type CommonSettings, runApp, type RunningApp } from './run-app.ts'
export { runCommand } from './run-command.ts'
export { processSettings } from './settings.ts'
export { systemClock, systemIds, systemRandom } from './system.ts'
