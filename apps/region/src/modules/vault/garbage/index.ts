export {
  announceObject,
  discardObjects,
  GarbageError,
  keepObject,
  postponeObject,
  sweepGarbage,
} from './operations/objects.ts'
