import { listProcesses, readProcessStat } from '@sealpost/testkit/process-stat'

/** The CPU time of a process and of all below it, also of those that have ended; null on systems without /proc. */
export function treeUsedMs(root: number): number | null {
  const own = readProcessStat(root)
  if (own === null) return null
  const stats = listProcesses().flatMap((pid) => {
    const stat = readProcessStat(pid)
    return stat === null ? [] : [{ pid, ...stat }]
  })
  const byParent = Map.groupBy(stats, ({ parent }) => parent)
  const below = (pid: number): number =>
    (byParent.get(pid) ?? []).reduce((sum, child) => sum + child.usedMs + below(child.pid), 0)
  return own.usedMs + below(root)
}
