import { createInterface } from 'node:readline'
import { sealRequest, sealUnchecked } from '@sealpost/pdf/testing'
import { contractOf, signerOfBench } from './contract.ts'

/**
 * The bare side: the steps of a seal in one process, without a child and without checks. Each line is a number of pages;
 * the answer has the CPU time of each step, and of the process since its start, in microseconds.
 */
const signer = signerOfBench()
for await (const line of createInterface({ input: process.stdin })) {
  const file = contractOf(Number(line))
  const request = sealRequest()
  const steps: Record<string, number> = {}
  let before = used()
  await sealUnchecked(file, request, {
    signer,
    lists: [],
    onStep(step) {
      const now = used()
      steps[step] = now - before
      before = now
    },
  })
  process.stdout.write(`${JSON.stringify({ ...steps, sinceStart: used() })}\n`)
}

function used(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
