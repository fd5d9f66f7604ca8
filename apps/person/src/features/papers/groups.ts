import type { PaperView } from '../../worker/commands/papers.ts'

/** How papers stand to the person, in the order in which they matter. */
export const groupNames = ['waiting', 'inForce', 'later', 'letters', 'ended'] as const
export type GroupName = (typeof groupNames)[number]

export interface PaperGroup {
  readonly name: GroupName
  readonly papers: readonly PaperView[]
}

type Standing = Pick<PaperView, 'status' | 'isContract'>

export function groupOf({ status, isContract }: Standing): GroupName {
  if (status === 'ready_to_sign' || status === 'offering') return 'waiting'
  if (status === 'waiting') return 'later'
  if (status === 'ended') return 'ended'
  return isContract ? 'inForce' : 'letters'
}

/** Without empty groups; newest first within each. */
export function groupPapers(papers: readonly PaperView[]): readonly PaperGroup[] {
  const newest = papers.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))
  return groupNames
    .map((name) => ({ name, papers: newest.filter((paper) => groupOf(paper) === name) }))
    .filter((group) => group.papers.length > 0)
}
