import { parentPort } from 'node:worker_threads'
import { checkForPublish } from '@sealpost/flow'
import type { CheckTask } from './check-definition.ts'

/** The thread that checks large definitions; see [Note: large definitions]. */
parentPort?.on('message', ({ definition, facts }: CheckTask) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
  parentPort?.postMessage(checkForPublish(definition, facts))
})
