export { announceObject, discardObjects, GarbageError, keepObject, postponeObject, sweepGarbage } from './garbage.ts'
export { garbageMigrations } from './migrations.ts'
