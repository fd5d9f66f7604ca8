export { type App, type AppNeeds, type CommonSettings, runApp, type RunningApp } from './run-app.ts'
export { systemClock, systemIds, systemRandom } from './system.ts'
