export { frontDoorMigrations } from './compose.ts'
export { type RunningFrontDoor, startFrontDoor } from './front-door.ts'
export { frontDoorSettings, type FrontDoorSettings } from './settings.ts'
