import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { readProcessStat } from '@sealpost/testkit/process-stat'
import { expect } from 'vitest'
import { COSTS_FILE, type Mark, writeMark } from './marks.ts'

/**
 * Runs in a worker before each test file: what the worker has used between two of these marks is the cost of the first
 * file. Nothing is recorded on systems without /proc.
 */
const used = readProcessStat(process.pid)?.usedMs ?? null
const file = expect.getState().testPath
if (used !== null && file !== undefined) {
  const mark: Mark = { run: process.ppid, worker: process.pid, usedMs: used, file }
  mkdirSync(dirname(COSTS_FILE), { recursive: true })
  appendFileSync(COSTS_FILE, writeMark(mark))
}
