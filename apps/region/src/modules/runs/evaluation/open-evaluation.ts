import { extname } from 'node:path'
import type { Platform } from '../../../platform/module.ts'
import { openThreads, type Threads } from '../../../platform/threads.ts'
import type { Evaluation, EvaluationTask } from './evaluate.ts'

/** `owner`: the company of the run. Null when the answers are no JSON map. */
export type Evaluate = Threads<EvaluationTask, Evaluation | null>

/** Hundreds of constants on long answers take a tenth of it. */
const CPU_MS = 10_000
const HEAP_MB = 192
/** Beside this file, as source or bundled. */
const MAIN = new URL(`evaluate-main${extname(import.meta.url)}`, import.meta.url)

/**
 * [Note: evaluation in a thread] The author of a flow writes its constants and conditions, and the generating party the
 * values that they read, a megabyte each if it likes: both together decide what an evaluation costs, and the event loop
 * serves all companies. So a thread does it, with a limit of CPU time and of memory, and hands out only the texts that
 * the tags of a file name.
 */
export function openEvaluation({ log }: Pick<Platform, 'log'>): Evaluate {
  return openThreads({ main: MAIN, log, heapMb: HEAP_MB, cpuMs: CPU_MS })
}
