import { parentPort } from 'node:worker_threads'
import { evaluate, type EvaluationTask } from './evaluate.ts'

/** The thread that evaluates definitions; see [Note: evaluation in a thread]. */
parentPort?.on('message', (task: EvaluationTask) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
  parentPort?.postMessage(evaluate(task))
})
