import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { checkForPublish, type Definition, type PublishFacts } from '@sealpost/flow'
import { type PublishIssue, refuse } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { definitionToText } from '../store/definition-text.ts'

export interface CheckTask {
  readonly definition: Definition
  readonly facts: PublishFacts
}

/** The checks of publishing. */
export type CheckDefinition = (task: CheckTask) => Promise<readonly PublishIssue[]>

/** Of its JSON; a shorter definition is checked in some ten milliseconds. */
const LARGE_CHARACTERS = 65_536
/** No definition within the limits takes as long, also on a busy machine. */
const LONGEST_MS = 60_000
const MOST_WAITING = 20
const HEAP_MB = 512
/** Beside this file, as source or bundled. */
const MAIN = new URL(`check-main${extname(import.meta.url)}`, import.meta.url)

/**
 * [Note: large definitions] The checks of a definition at the limits take up to a second of CPU, in which the event loop
 * would answer no caller, so a thread does them, one definition at a time; it ends with its answer. What is sent to it is
 * data: the copy costs a few milliseconds.
 */
export function openChecks({ log }: Pick<Platform, 'log'>, mostWaiting = MOST_WAITING): CheckDefinition {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (task) => {
    if (!isLarge(task.definition)) return checkForPublish(task.definition, task.facts)
    if (waiting >= mostWaiting) throw refuse('platform.busy')
    waiting += 1
    const checked = last.then(() => checkInThread(task))
    last = checked.catch(() => {})
    try {
      return await checked
    } catch (error) {
      log.warn({ err: error }, 'the thread that checks a definition failed')
      throw refuse('platform.busy')
    } finally {
      waiting -= 1
    }
  }
}

function isLarge(definition: Definition): boolean {
  return definitionToText(definition).length >= LARGE_CHARACTERS
}

async function checkInThread(task: CheckTask): Promise<readonly PublishIssue[]> {
  const worker = new Worker(MAIN, { env: {}, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
  try {
    return await askWorker(worker, task)
  } finally {
    void worker.terminate()
  }
}

function askWorker(worker: Worker, task: CheckTask): Promise<readonly PublishIssue[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly PublishIssue[]>()
  const timer = setTimeout(() => reject(new Error('the thread takes too long')), LONGEST_MS)
  const onExit = (): void => reject(new Error('the thread ended'))
  worker.once('message', resolve).once('error', reject).once('exit', onExit)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(task)
  return promise.finally(() => clearTimeout(timer))
}
