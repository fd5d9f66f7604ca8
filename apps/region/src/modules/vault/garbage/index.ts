export {
  announceObject,
  discardObjects,
  GarbageError,
  keepObject,
  postponeObject,
  sweepGarbage,
} from './operations/objects.ts'
export { adoptObjects, discardVersions, hideSuperseded, supersedeObject } from './operations/versions.ts'
export { listGarbage } from './store/garbage.ts'
