import type { Tx } from '@sealpost/postgres'

export interface HangingHandler {
  readonly handler: { prepare(): Promise<void>; step(tx: Tx): Promise<{ readonly next: 'done' }> }
  /** Resolves when a worker has begun the job. */
  readonly begun: Promise<void>
  goOn(): void
}

/** Hangs in its preparation until `goOn`; then its only step does `work`. */
export function hangingHandler(work: (tx: Tx) => Promise<void>): HangingHandler {
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    begun: begun.promise,
    goOn: () => over.resolve(),
    handler: {
      async prepare() {
        begun.resolve()
        await over.promise
      },
      async step(tx) {
        await work(tx)
        return { next: 'done' }
      },
    },
  }
}
