const DAY_MS = 86_400_000

/** The day on which a contract ends that is cancelled now, as the platform counts: in UTC. */
export function endOfNotice(nowMs: number, noticeDays: number): string {
  return new Date(nowMs + noticeDays * DAY_MS).toISOString().slice(0, 10)
}
