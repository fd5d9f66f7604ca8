import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { openPdf } from '@sealpost/pdf'
import { sealRequest } from '@sealpost/pdf/testing'
import { cpuMicroseconds } from '../cpu.ts'
import { contractOf, signerOfBench } from './contract.ts'

/**
 * The product's side: seals as a region does, each in a child of its own. Each line is `warm PAGES` (a child waits with
 * its code loaded, and its start is not counted) or `cold PAGES`; the answer is the CPU time of both processes in
 * microseconds.
 */
const pdf = openPdf({ signer: signerOfBench() })
await seal(1)
for await (const line of createInterface({ input: process.stdin })) {
  const [kind, pages] = line.split(' ')
  process.stdout.write(`${await (kind === 'warm' ? sealWarm(Number(pages)) : sealCold(Number(pages)))}\n`)
}

async function sealWarm(pages: number): Promise<number> {
  const spent = await waitForIdleChild()
  const { own, ended } = await measure(pages)
  return own + ended - spent
}

async function sealCold(pages: number): Promise<number> {
  await waitForIdleChild()
  for (const pid of descendants()) process.kill(pid, 'SIGKILL')
  while (descendants().length > 0) await pause(10)
  // The pool must have noticed it.
  await pause(300)
  const { own, ended } = await measure(pages)
  return own + ended
}

async function measure(pages: number): Promise<{ readonly own: number; readonly ended: number }> {
  const file = contractOf(pages)
  const [own, ended] = [ownMicroseconds(), endedMicroseconds()]
  await seal(file)
  return { own: ownMicroseconds() - own, ended: endedMicroseconds() - ended }
}

async function seal(file: Uint8Array | number): Promise<void> {
  const outcome = await pdf.seal(typeof file === 'number' ? contractOf(file) : file, sealRequest())
  if (!outcome.ok) throw new Error(`the contract was refused: ${outcome.refusal}`)
}

/** The CPU time that the waiting child has used, once it has loaded everything. */
async function waitForIdleChild(): Promise<number> {
  let before = -1
  for (;;) {
    const now = descendants().reduce((sum, pid) => sum + cpuMicroseconds(pid), 0)
    if (now > 0 && now === before) return now
    before = now
    await pause(200)
  }
}

function descendants(of = process.pid): readonly number[] {
  const tasks = readdirSync(`/proc/${of}/task`)
  const children = tasks.flatMap((task) => readFileSync(`/proc/${of}/task/${task}/children`, 'utf8').trim().split(' '))
  return children
    .filter((pid) => pid !== '')
    .map(Number)
    .flatMap((pid) => [pid, ...descendants(pid)])
}

function ownMicroseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Of children that have ended, in ticks of 10 ms. */
function endedMicroseconds(): number {
  const text = readFileSync('/proc/self/stat', 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10_000
}
