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
export type { Patience } from './s3-client.ts'
export { objectsPlace, objectsSettings, type ObjectsPlace } from './settings.ts'
export { parseSha256, sha256Of, type Sha256 } from './sha256.ts'
export { DamagedObjectError, ObjectStorageError } from './storage-error.ts'
