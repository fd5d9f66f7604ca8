import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuMicroseconds, unlessEnded } from './cpu.ts'

/** CPU time of this process and of a child that waits with its code loaded; the start of the child is not counted. */
export async function warmCost(work: () => Promise<void>): Promise<number> {
  const spent = await waitForIdleChild()
  const { own, ended } = await measure(work)
  return own + ended - spent
}

/** CPU time with the start of the child. */
export async function coldCost(work: () => Promise<void>): Promise<number> {
  await waitForIdleChild()
  for (const pid of descendants()) process.kill(pid, 'SIGKILL')
  while (descendants().length > 0) await pause(10)
  // The pool must have noticed it.
  await pause(300)
  const { own, ended } = await measure(work)
  return own + ended
}

async function measure(work: () => Promise<void>): Promise<{ readonly own: number; readonly ended: number }> {
  const [own, ended] = [ownMicroseconds(), endedMicroseconds()]
  await work()
  return { own: ownMicroseconds() - own, ended: endedMicroseconds() - ended }
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
  const children = unlessEnded(() => readdirSync(`/proc/${of}/task`), []).flatMap((task) =>
    unlessEnded(() => readFileSync(`/proc/${of}/task/${task}/children`, 'utf8'), '')
      .trim()
      .split(' '),
  )
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
