import { once } from './once.ts'
import type { Scheduler } from './scheduler.ts'

export interface Batch<Ask, Answer> {
  ask(one: Ask): Promise<Answer>
  /** Rejects all waiting asks that are in no batch yet. */
  rejectWaiting(error: unknown): void
}

export interface BatchOptions<Ask, Answer> {
  /** How many asks a batch takes; with `weigh`, a batch is full as soon as their total weight reaches this. */
  readonly most: number
  readonly weigh?: (ask: Ask) => number
  /** One answer per ask, in their order. A rejected promise among them fails its ask alone; throwing fails all of the batch. */
  run(asks: readonly Ask[]): Promise<readonly (Answer | Promise<Answer>)[]>
  /** A batch that takes longer does not delay the next one; by default the next one always waits. */
  readonly patienceMs?: number
  /** After a batch of at least `size` asks the next one waits for `waitMs` to become larger. */
  readonly crowd?: { readonly size: number; readonly waitMs: number }
  readonly scheduler: Scheduler
}

interface Waiting<Ask, Answer> {
  readonly ask: Ask
  readonly resolve: (answer: Answer | Promise<Answer>) => void
  readonly reject: (error: unknown) => void
}

/**
 * [Note: batches] Asks of one kind that arrive during a batch wait for it and form the next one, so that the cost of a
 * round trip is shared exactly when there is much to do. No ask is answered by a batch that began before it arrived,
 * hence each sees everything committed before it. A lone ask is sent at once: after this turn of the event loop,
 * together with asks that other sockets brought in the same turn.
 */
export function createBatch<Ask, Answer>(options: BatchOptions<Ask, Answer>): Batch<Ask, Answer> {
  const { scheduler, crowd, patienceMs } = options
  const waiting: Waiting<Ask, Answer>[] = []
  let isBusy = false
  let isCrowded = false

  function schedule(): void {
    isBusy = waiting.length > 0
    if (isBusy) scheduler.after(isCrowded ? (crowd?.waitMs ?? 0) : 0, send)
  }
  function send(): void {
    const group = waiting.splice(0, sizeOfNext(options, waiting))
    isCrowded = crowd !== undefined && group.length >= crowd.size
    const goOn = once(schedule)
    const cancel = patienceMs === undefined ? null : scheduler.after(patienceMs, goOn)
    void runGroup(options, group).finally(() => {
      cancel?.()
      goOn()
    })
  }
  return {
    ask: (one) =>
      new Promise((resolve, reject) => {
        waiting.push({ ask: one, resolve, reject })
        if (!isBusy) schedule()
      }),
    rejectWaiting(error) {
      for (const { reject } of waiting.splice(0)) reject(error)
    },
  }
}

function sizeOfNext<Ask, Answer>(
  { most, weigh }: BatchOptions<Ask, Answer>,
  waiting: readonly Waiting<Ask, Answer>[],
): number {
  if (weigh === undefined) return most
  let weight = 0
  const end = waiting.findIndex(({ ask }) => (weight += weigh(ask)) >= most)
  return end < 0 ? waiting.length : end + 1
}

async function runGroup<Ask, Answer>(
  options: BatchOptions<Ask, Answer>,
  group: readonly Waiting<Ask, Answer>[],
): Promise<void> {
  if (group.length === 0) return
  try {
    const answers = await options.run(group.map(({ ask }) => ask))
    if (answers.length !== group.length) throw new Error('a batch must answer every ask, in their order')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as many as there are asks
    for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer)
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
