import type { FlowRun } from '@sealpost/sdk'
import { conditionText } from './condition-text.ts'

/** `done`: its party has answered; `current`: the run waits there; `open`: it may still come. */
export type StepState = 'done' | 'current' | 'open'

export interface RunStep {
  readonly key: string
  readonly title: string
  readonly party: string
  /** Slugs that it asks for. */
  readonly slugs: readonly string[]
  readonly state: StepState
  /** In the order in which the edges are tried; `condition` is null for one that always holds. */
  readonly next: readonly { readonly to: string; readonly condition: string | null }[]
}

/** The steps of a run's pinned definition, from its entry on, with what has happened so far. */
export function stepsOf(run: FlowRun): readonly RunStep[] {
  const { definition, current_node: current, status } = run
  const answered = new Set(run.answers.map(({ slug }) => slug))
  const isOver = status === 'completed' || status === 'generating' || status === 'awaiting_signature'
  return inOrder(run).map(({ key, title, party, elements }) => {
    const slugs = elements.flatMap(slugOf)
    const isDone = slugs.some((slug) => answered.has(slug)) || (key === current && isOver)
    const state = key === current && !isOver ? 'current' : isDone ? 'done' : 'open'
    return { key, title, party, slugs, state, next: edgesOf(definition, key) }
  })
}

type Definition = FlowRun['definition']

/** By distance from the entry; steps that no edge leads to come last. */
function inOrder({ definition }: FlowRun): Definition['nodes'] {
  const reached = new Set([definition.entry])
  // A set also iterates over items added during the iteration.
  for (const key of reached) for (const { to } of edgesOf(definition, key)) reached.add(to)
  const places = new Map([...reached].map((key, place) => [key, place]))
  const place = (key: string): number => places.get(key) ?? reached.size
  return definition.nodes.toSorted((one, other) => place(one.key) - place(other.key))
}

function edgesOf({ edges }: Definition, key: string): RunStep['next'] {
  return edges
    .filter(({ from }) => from === key)
    .toSorted((one, other) => one.sort - other.sort)
    .map(({ to, condition }) => {
      const text = conditionText(condition)
      return { to, condition: text === 'always' ? null : text }
    })
}

function slugOf(element: unknown): readonly string[] {
  if (typeof element !== 'object' || element === null || !('slug' in element)) return []
  return typeof element.slug === 'string' ? [element.slug] : []
}
