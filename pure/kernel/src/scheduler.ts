/** Calls back later. Timers are I/O: the real one is in io/process, tests advance one by hand. */
export interface Scheduler {
  /** Calls `callback` once after `ms`, also for 0 in a later turn of the event loop; returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void
}
