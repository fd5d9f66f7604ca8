import { createInterface } from 'node:readline'
import { openPdf } from '@sealpost/pdf'
import { sealRequest } from '@sealpost/pdf/testing'
import { coldCost, warmCost } from '../child-cost.ts'
import { contractOf, signerOfBench } from './contract.ts'

/**
 * The product's side: seals as a region does, each in a child of its own. Each line is `warm PAGES` (a child waits with
 * its code loaded, and its start is not counted) or `cold PAGES`; the answer is the CPU time of both processes in
 * microseconds.
 */
const pdf = openPdf({ signer: signerOfBench() })
await seal(contractOf(1))
for await (const line of createInterface({ input: process.stdin })) {
  const [kind, pages] = line.split(' ')
  const file = contractOf(Number(pages))
  process.stdout.write(`${await (kind === 'warm' ? warmCost : coldCost)(() => seal(file))}\n`)
}

async function seal(file: Uint8Array): Promise<void> {
  const outcome = await pdf.seal(file, sealRequest())
  if (!outcome.ok) throw new Error(`the contract was refused: ${outcome.refusal}`)
}
