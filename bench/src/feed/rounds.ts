import type { ScenarioContext } from '@sealpost/testkit'
import type { FeedRegion } from './site.ts'
import { type DrainTarget, type Feed, rewind } from './targets.ts'

export interface Turn {
  readonly target: DrainTarget
  readonly region: FeedRegion
  readonly feeds: readonly Feed[]
  /** So many of them in each round. */
  readonly atOnce: number
}

export interface Rounds {
  /** Until the compiler has seen enough of it and every feed that is picked was read: they are not counted. */
  readonly warmUps: number
  readonly rounds: number
}

/** Short rounds, in turn the one or the other first: what else the machine does then falls on all. */
export async function measureInTurns(
  context: ScenarioContext,
  what: string,
  { warmUps, rounds }: Rounds,
  turns: readonly Turn[],
): Promise<readonly (readonly number[])[]> {
  const costs: number[][] = turns.map(() => [])
  for (let round = -warmUps; round < rounds; round += 1) {
    const order = [...turns.entries()]
    for (const [index, turn] of round % 2 === 0 ? order : order.toReversed()) {
      const cost = await turn.target.measure(inTurn(turn, round + warmUps))
      await rewind(turn.region)
      if (round >= 0) costs[index]?.push(cost)
    }
    const shown = turns.map(({ target }, index) => `${target.name} ${costs[index]?.at(-1)?.toFixed(0) ?? 'warms up'}`)
    if (round >= 0) context.progress(`${what}, round ${round + 1} of ${rounds}: ${shown.join(', ')} µs a page`)
  }
  return costs
}

function inTurn({ feeds, atOnce }: Turn, round: number): readonly Feed[] {
  const from = (round * atOnce) % feeds.length
  return feeds.slice(from, from + atOnce)
}
