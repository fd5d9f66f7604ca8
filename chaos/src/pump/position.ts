import { lastHandled } from './handled.ts'

/** Longer than any fault and restart: a consumer that gets no further for this long has lost the rest. */
export const STALL_MS = 120_000

/**
 * How far a consumer is in what the region acknowledged. It handles changes in order, so those that it has passed over
 * are lost: they are not waited for, and the judgement counts them.
 */
export interface Position {
  /** The acknowledged changes up to the last one that it handled. */
  reached(): number
  /** The same; all of them when it has not got on for too long. */
  settled(): number
}

/** @param acknowledged grows while the run goes on */
export function openPosition(file: string, acknowledged: readonly string[], nowMs: () => number): Position {
  const indexOf = new Map<string, number>()
  const state = { highest: 0, since: nowMs() }
  function reached(): number {
    for (let index = indexOf.size; index < acknowledged.length; index += 1)
      indexOf.set(acknowledged[index] ?? '', index)
    const last = lastHandled(file)
    const position = last === null ? 0 : (indexOf.get(last) ?? -1) + 1
    // A consumer that waits for work does not stall.
    if (position > state.highest || state.highest === acknowledged.length) state.since = nowMs()
    state.highest = Math.max(state.highest, position)
    return state.highest
  }
  return {
    reached,
    settled() {
      const position = reached()
      return nowMs() - state.since < STALL_MS ? position : acknowledged.length
    },
  }
}
