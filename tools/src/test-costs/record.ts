import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, expect } from 'vitest'
import { COSTS_FILE, writeCost } from './costs.ts'
import { treeUsedMs } from './process-tree.ts'

/**
 * Runs in a worker before each test file, and its hook after all others of the file: the CPU time in between is the cost
 * of the file. The engines of the machine are not part of it. Nothing is recorded on systems without /proc.
 */
const before = treeUsedMs(process.pid)
const file = expect.getState().testPath
if (before !== null && file !== undefined)
  afterAll(() => {
    // A process whose parent was killed takes its share along.
    const ms = Math.max(0, (treeUsedMs(process.pid) ?? before) - before)
    mkdirSync(dirname(COSTS_FILE), { recursive: true })
    appendFileSync(COSTS_FILE, writeCost({ file, ms }))
  })
