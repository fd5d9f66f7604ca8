import type { ObjectKey } from '@sealpost/objects'
import type { Telemetry } from '@sealpost/telemetry'

/**
 * For an object that a row refers to and that the store does not have. After a restore from a backup its owner has deleted
 * it since, so the reader answers as without it: see [Note: objects and backups]. Otherwise the store has lost it.
 */
export function reportMissing({ telemetry }: { readonly telemetry: Telemetry }, objectKey: ObjectKey): void {
  telemetry.counter('objects_missing', 'Reads of files that the object store does not have').add(1)
  telemetry.log.warn(
    { objectKey },
    'a file is not in the object store; it is treated as deleted; `doctor objects` counts them',
  )
}
