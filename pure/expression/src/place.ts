import { accept, type Result } from '@sealpost/kernel'
import { type ExpressionProblem, type Path, refuse } from './problem.ts'

export const MAX_DEPTH = 64
export const MAX_NODES = 2000

/** The position of the parser in a tree. Expressions and the conditions inside them share one count of nodes. */
export interface Place {
  readonly path: Path
  /** The root is at 1. */
  readonly depth: number
  readonly count: { nodes: number }
}

export function rootPlace(): Place {
  return { path: [], depth: 1, count: { nodes: 0 } }
}

export function inside(place: Place, ...steps: Path): Place {
  return { path: [...place.path, ...steps], depth: place.depth + 1, count: place.count }
}

/** Called once for every node, before its content is read, so that no input makes the parser deep or slow. */
export function enter({ path, depth, count }: Place): Result<null, ExpressionProblem<'too_deep'>> {
  count.nodes += 1
  if (depth > MAX_DEPTH) return refuse('too_deep', path, `the nesting exceeds ${MAX_DEPTH} levels`)
  if (count.nodes > MAX_NODES) return refuse('too_deep', path, `there are more than ${MAX_NODES} parts`)
  return accept(null)
}

/** The first refusal ends the list. */
export function parseEach<Parsed, Refusal>(
  list: readonly unknown[],
  parse: (item: unknown, index: number) => Result<Parsed, Refusal>,
): Result<readonly Parsed[], Refusal> {
  const parsed: Parsed[] = []
  for (const [index, item] of list.entries()) {
    const result = parse(item, index)
    if (!result.ok) return result
    parsed.push(result.value)
  }
  return accept(parsed)
}
