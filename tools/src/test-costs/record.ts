import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect } from 'vitest'
import { COSTS_FILE, type Mark, writeMark } from './marks.ts'

const MS_PER_TICK = 10

/**
 * Runs in a worker before each test file: what the worker has used between two of these marks is the cost of the first
 * file. Nothing is recorded on systems without /proc.
 */
const used = usedMs()
const file = expect.getState().testPath
if (used !== null && file !== undefined) {
  const mark: Mark = { run: process.ppid, worker: process.pid, usedMs: used, file }
  mkdirSync(dirname(COSTS_FILE), { recursive: true })
  appendFileSync(COSTS_FILE, writeMark(mark))
}

/** CPU time of this process and of its children that have ended. */
function usedMs(): number | null {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    // The name, in brackets, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [own = 0, system = 0, children = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number)
    return (own + system + children + childrenSystem) * MS_PER_TICK
  } catch {
    return null
  }
}
