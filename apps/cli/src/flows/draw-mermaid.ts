import type { FlowRun } from '@sealpost/sdk'
import { stepsOf } from './run-steps.ts'

/** The steps of a run as a Mermaid flowchart. It has no answers, so it may be shown to every reader of the flow. */
export function drawMermaid(run: FlowRun): readonly string[] {
  const labels = new Map(run.parties.map(({ key, label }) => [key, label]))
  // Keys of steps are words, but a word of Mermaid such as `end` would break the diagram.
  const ids = new Map(run.definition.nodes.map(({ key }, place) => [key, `s${place + 1}`]))
  const id = (key: string): string => ids.get(key) ?? 'missing'
  const steps = stepsOf(run)
  return [
    'flowchart TD',
    ...steps.map(
      ({ key, title, party, state }) =>
        `  ${id(key)}["${quoted(title === '' ? key : title)}<br/>${quoted(labels.get(party) ?? party)}"]:::${state}`,
    ),
    `  ending(["${run.status === 'cancelled' ? 'cancelled' : ending(run)}"])`,
    ...steps.flatMap(({ key, next }) => [
      ...next.map(({ to, condition }) => `  ${id(key)} ${arrow(condition)} ${id(to)}`),
      ...(next.some(({ condition }) => condition === null)
        ? []
        : [`  ${id(key)} ${arrow(next.length === 0 ? null : 'otherwise')} ending`]),
    ]),
    '  classDef done fill:#d5f0d5,stroke:#3a7d3a',
    '  classDef current fill:#fff3c4,stroke:#b8860b,stroke-width:3px',
    '  classDef open fill:#f5f5f5,stroke:#999',
  ]
}

function ending({ output_mode: mode }: FlowRun): string {
  return mode === 'document' ? 'documents are made' : 'completed'
}

function arrow(condition: string | null): string {
  return condition === null ? '-->' : `-->|"${quoted(condition)}"|`
}

/** Mermaid reads entities, and the label must not end early or become HTML. */
function quoted(text: string): string {
  return text
    .replaceAll('#', '#35;')
    .replaceAll('"', '#quot;')
    .replaceAll('<', '#lt;')
    .replaceAll('>', '#gt;')
    .replaceAll(/\s+/g, ' ')
}
