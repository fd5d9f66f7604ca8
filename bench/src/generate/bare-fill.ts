import { createInterface } from 'node:readline'
import { fillHere } from '@sealpost/pdf/testing'
import { templateOf, valuesOf } from './contract.ts'

/**
 * The bare side: the library steps of a fill in one process, without a child. Each line asks for one; the answer has the
 * CPU time of the steps after the fonts are loaded, and of the process since its start, in microseconds.
 */
for await (const line of createInterface({ input: process.stdin })) {
  if (line !== 'fill') throw new Error('a line is `fill`')
  const steps: Record<string, number> = {}
  let before = used()
  const outcome = await fillHere(templateOf(), valuesOf(), (step) => {
    const now = used()
    steps[step] = now - before
    before = now
  })
  if (!outcome.ok) throw new Error(outcome.refusal)
  process.stdout.write(`${JSON.stringify({ ...steps, sinceStart: used() })}\n`)
}

function used(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
