import type { Platform } from '../../platform/module.ts'
import { compareObjects } from '../compare-objects.ts'

/** Enough to find what they have in common. */
const SHOWN = 10

/** Whether the object store has what the database refers to. Reads the list of the whole bucket. */
export async function diagnoseObjects(platform: Pick<Platform, 'database' | 'objects'>): Promise<string> {
  const keys = { missing: [] as string[], unknown: [] as string[] }
  const count = { missing: 0, unknown: 0 }
  const { referred, stored } = await compareObjects(platform, async ({ key, kind }) => {
    count[kind] += 1
    if (keys[kind].length < SHOWN) keys[kind].push(key)
  })
  const lines = [`${referred} objects are in use; the bucket has ${stored}`]
  if (count.missing > 0) {
    lines.push(
      `${count.missing} objects that rows refer to are missing, and reads answer as if they were deleted; after a ` +
        `restore their owners have deleted them since the backup, otherwise check S3_BUCKET and who else may delete ` +
        `in it: ${keys.missing.join(', ')}`,
    )
  }
  if (count.unknown > 0) {
    lines.push(
      `${count.unknown} objects in the bucket belong to no row; after a restore they were stored since the ` +
        `backup, and operate objects:reconcile discard-unknown removes them: ${keys.unknown.join(', ')}`,
    )
  }
  return lines.join('\n')
}
