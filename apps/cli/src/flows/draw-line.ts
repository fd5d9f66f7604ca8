import type { FlowRun, SigningStep } from '@sealpost/sdk'

const MARKS = { done: '[x]', open: '[>]', waiting: '[ ]', ended: '[-]' } as const

/** The signing line of a run as text, then the copies of parties that only receive a document. */
export function drawLine(run: FlowRun, steps: readonly SigningStep[]): readonly string[] {
  const received = run.participants.flatMap(({ party_key: party, documents }) =>
    documents.filter(({ position }) => position === null).map((copy) => ({ party, copy })),
  )
  const rows = [
    ...steps.map(({ state, position, outputKey, party, act, actedAt }) => [
      `${MARKS[state]} ${position}`,
      outputKey,
      party,
      act,
      actedAt ?? '',
    ]),
    ...received.map(({ party, copy }) => ['', copy.output_key, party, 'receives', '']),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [`${run.id}  ${run.status}`, ...lines.map((line) => `  ${line}`)]
}
