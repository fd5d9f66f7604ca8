/**
 * [Note: gathered] Many lanes want the same kind of thing at nearly the same time. Those that ask while one round is under
 * way are served by the next round together, so that the cost of a round is shared exactly when there is much to do.
 */
export interface Gathering<Ask, Answer> {
  ask(one: Ask): Promise<Answer>
}

type Serve<Ask, Answer> = (asks: readonly Ask[]) => Promise<readonly Answer[]>

interface Waiting<Ask, Answer> {
  readonly ask: Ask
  readonly answer: PromiseWithResolvers<Answer>
}

/**
 * `serve` answers in the order of the asks. When a round fails, those in it are served one by one, so that one of them
 * that cannot be served does not take the others along.
 */
export function gather<Ask, Answer>(most: number, serve: Serve<Ask, Answer>): Gathering<Ask, Answer> {
  const waiting: Waiting<Ask, Answer>[] = []
  let isServing = false

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const round = waiting.splice(0, most)
      const isServed = await serveRound(round, serve)
      if (!isServed && round.length > 1) await Promise.all(round.map((one) => serveRound([one], serve)))
    }
    isServing = false
  }

  return {
    ask(one) {
      const answer = Promise.withResolvers<Answer>()
      waiting.push({ ask: one, answer })
      if (!isServing) {
        isServing = true
        // After this turn of the event loop: what comes from other sockets in it goes along.
        setImmediate(() => void run())
      }
      return answer.promise
    },
  }
}

async function serveRound<Ask, Answer>(
  round: readonly Waiting<Ask, Answer>[],
  serve: Serve<Ask, Answer>,
): Promise<boolean> {
  try {
    const answers = await serve(round.map(({ ask }) => ask))
    for (const [index, { answer }] of round.entries()) {
      const found = answers[index]
      if (found === undefined) answer.reject(new Error('a round was served without an answer for each'))
      else answer.resolve(found)
    }
    return true
  } catch (error) {
    if (round.length === 1) for (const { answer } of round) answer.reject(error)
    return false
  }
}
