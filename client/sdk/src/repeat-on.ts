import type { ErrorKey } from './errors.generated.ts'
import { isSealpostError } from './errors.ts'

/** Concurrent changes are rare: so many in a row are not expected. */
const TRIES = 5

/** Runs an attempt again, from reading to writing, while the platform refuses it with this key. */
export async function repeatOn<Answer>(conflict: ErrorKey, attempt: () => Promise<Answer>): Promise<Answer> {
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isSealpostError(error, conflict)) throw error
    }
  }
}
