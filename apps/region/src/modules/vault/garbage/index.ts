export { announceObject, discardObjects, GarbageError, keepObject, sweepGarbage } from './garbage.ts'
export { garbageMigrations } from './migrations.ts'
