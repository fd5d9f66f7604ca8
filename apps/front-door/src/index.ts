export { type ComposedFrontDoor, composeFrontDoor } from './compose.ts'
export { frontDoorMigrations } from './migrations.ts'
export { frontDoorSettings, type FrontDoorSettings } from './settings.ts'
export { type RunningFrontDoor, startFrontDoor } from './start.ts'
