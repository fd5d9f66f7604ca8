import { isKilled, type Outcome } from './report.ts'

const EVERY = 25

/** Prints how many are done, how many of them are killed, and when the rest should be. */
export function createProgress(total: number): (outcome: Outcome) => void {
  const start = performance.now()
  let done = 0
  let killed = 0
  return (outcome) => {
    done += 1
    if (isKilled(outcome)) killed += 1
    if (done % EVERY !== 0 && done !== total) return
    const minutes = (performance.now() - start) / 60_000
    const left = (minutes / done) * (total - done)
    console.log(
      `${done} of ${total}, ${killed} killed (${percent(killed, done)} %), ${minutes.toFixed(1)} min, about ${left.toFixed(0)} min left`,
    )
  }
}

function percent(part: number, whole: number): string {
  return ((100 * part) / whole).toFixed(1)
}
