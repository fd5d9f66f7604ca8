export { copyIn, type CopiedObject, type CopyInExpectation, type CopyInContext, type CopyInRefusal } from './copy-in.ts'
export type { ObjectFacts, OpenedObject } from './download.ts'
export { objectKey, parseObjectKey, type ObjectKey } from './object-key.ts'
export {
  openObjects,
  type Contents,
  type ListedPage,
  type ListPage,
  type Objects,
  type ReadExpectation,
  type ReadRefusal,
  type StoredObject,
  type StreamContents,
} from './objects.ts'
export type { Patience } from './patience.ts'
export { objectsPatience, objectsPlace, objectsSettings, type ObjectsPlace } from './settings.ts'
export { parseSha256, type Sha256, sha256Of, startSha256 } from './sha256.ts'
export { StorageBusyError, type SocketLimits } from './sockets.ts'
export { DamagedObjectError, ObjectStorageError } from './storage-error.ts'
