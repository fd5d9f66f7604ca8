import { accept, decline, type Result, type UserId } from '@sealpost/kernel'
import type { SourceFile } from '../model.ts'

/** A copy that a run needs: of the file that `sourceUserId` shared, for `forUserId`. */
export interface NeededSource {
  readonly sourceKey: string
  readonly forUserId: UserId
  readonly sourceUserId: UserId
}

export interface GivenSource {
  readonly sourceKey: string
  readonly forUserId: string
  readonly file: string
}

export interface SourceProblem {
  readonly missing: { source_key: string; for_user_id: string; source_user_id: string }[]
  readonly unexpected: string[]
}

export type FoundSource = NeededSource & { readonly file: SourceFile }

/** Null for a list of another shape. */
export function readGivenSources(given: unknown): readonly GivenSource[] | null {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) return null
  const read = given.map(readGiven)
  return read.every((one) => one !== null) ? read : null
}

function readGiven(one: unknown): GivenSource | null {
  if (typeof one !== 'object' || one === null) return null
  if (!('source_key' in one) || !('for_user_id' in one) || !('file' in one)) return null
  const { source_key: sourceKey, for_user_id: forUserId, file } = one
  if (typeof sourceKey !== 'string' || typeof forUserId !== 'string' || typeof file !== 'string') return null
  return { sourceKey, forUserId, file }
}

/** Exactly one staged copy for each that is needed; a copy staged for another customer is not the needed one. */
export function matchSources(
  needed: readonly NeededSource[],
  given: readonly GivenSource[],
  staged: ReadonlyMap<string, SourceFile>,
): Result<readonly FoundSource[], SourceProblem> {
  const found = new Map<NeededSource, FoundSource>()
  const used = new Set<string>()
  const unexpected: string[] = []
  for (const one of given) {
    const need = needed.find(
      (each) => each.sourceKey === one.sourceKey && each.forUserId === one.forUserId && !found.has(each),
    )
    const file = staged.get(one.file)
    if (need === undefined || file?.sourceUserId !== need.sourceUserId || used.has(file.id)) unexpected.push(one.file)
    else {
      found.set(need, { ...need, file })
      used.add(file.id)
    }
  }
  const missing = needed.filter((need) => !found.has(need))
  if (missing.length > 0 || unexpected.length > 0) return decline(sourceProblem(missing, unexpected))
  return accept([...found.values()])
}

export function sourceProblem(missing: readonly NeededSource[], unexpected: readonly string[]): SourceProblem {
  return {
    missing: missing.map(({ sourceKey, forUserId, sourceUserId }) => ({
      source_key: sourceKey,
      for_user_id: forUserId,
      source_user_id: sourceUserId,
    })),
    unexpected: [...unexpected],
  }
}
