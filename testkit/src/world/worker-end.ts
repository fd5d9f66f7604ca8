const WORKER_END = Symbol.for('sealpost.worker-end')

/**
 * Runs once, when this worker of Vitest ends. The environment of the live tests runs these; it has modules of its own,
 * so that they meet in a global.
 */
export function atWorkerEnd(free: () => Promise<void>): void {
  const ends: unknown = Reflect.get(globalThis, WORKER_END)
  if (ends instanceof Set) ends.add(free)
}
