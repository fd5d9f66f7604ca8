import type { GreenRun, LaneRecord } from './record.ts'

export interface DueLane {
  readonly name: string
  readonly reason: string
}

/** What git says about a lane: a changed file of its closure, or null; `unknown commit` is not in this clone. */
export type ChangeSince = (lane: string, run: GreenRun) => string | null

const DAY_MS = 24 * 60 * 60 * 1000

/** The lanes that must run: without a green run, changed since then, and one more, in turn by the date. */
export function dueLanes(
  names: readonly string[],
  record: LaneRecord,
  changeSince: ChangeSince,
  nowMs: number,
): readonly DueLane[] {
  const due = names.flatMap((name): readonly DueLane[] => {
    const run = record.get(name)
    if (run === undefined) return [{ name, reason: 'it has no green run in docs/ci-lanes.tsv' }]
    const change = changeSince(name, run)
    return change === null ? [] : [{ name, reason: change }]
  })
  const others = names.filter((name) => !due.some((lane) => lane.name === name))
  const turn = others[Math.floor(nowMs / DAY_MS) % Math.max(1, others.length)]
  return turn === undefined ? due : [...due, { name: turn, reason: 'its turn by the date' }]
}
