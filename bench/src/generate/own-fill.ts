import { createInterface } from 'node:readline'
import { openPdf } from '@sealpost/pdf'
import { coldCost, warmCost } from '../child-cost.ts'
import { templateOf, valuesOf } from './contract.ts'

/**
 * The product's side: fills as a region does, each in a child of its own. Each line is `warm` (a child waits with its
 * code loaded, and its start is not counted) or `cold`; the answer is the CPU time of both processes in microseconds.
 */
const pdf = openPdf()
await fill()
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${await (line === 'warm' ? warmCost : coldCost)(fill)}\n`)

async function fill(): Promise<void> {
  const outcome = await pdf.fillTemplate('bench', templateOf(), new Map(Object.entries(valuesOf())))
  if (!outcome.ok) throw new Error(`the template was refused: ${outcome.refusal}`)
  const { keys, missing, overflowing } = outcome.value.report
  if (keys.length !== 40 || missing.length + overflowing.length > 0) throw new Error('the template was not filled')
}
