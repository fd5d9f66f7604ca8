import { extname } from 'node:path'
import { checkForPublish, type Definition, type PublishFacts } from '@sealpost/flow'
import { type PublishIssue, refuse } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { openThreads } from '../../../platform/threads.ts'
import { definitionToText } from '../store/definition-text.ts'

export interface CheckTask {
  readonly definition: Definition
  readonly facts: PublishFacts
}

/** The checks of publishing. `owner`: the company of the flow. */
export type CheckDefinition = (owner: string, task: CheckTask) => Promise<readonly PublishIssue[]>

/** Of its JSON; a shorter definition is checked in some ten milliseconds. */
const LARGE_CHARACTERS = 65_536
/** No definition within the limits takes as much. */
const CPU_MS = 20_000
const HEAP_MB = 512
/** Beside this file, as source or bundled. */
const MAIN = new URL(`check-main${extname(import.meta.url)}`, import.meta.url)

/**
 * [Note: large definitions] The checks of a definition at the limits take up to a second of CPU, in which the event loop
 * would answer no caller, so a thread does them; the definitions of one company are checked one after the other. What is
 * sent to the thread is data: the copy costs a few milliseconds.
 */
export function openChecks({ log }: Pick<Platform, 'log'>, mostWaiting = 20): CheckDefinition {
  const check = openThreads<CheckTask, readonly PublishIssue[]>({
    main: MAIN,
    log,
    heapMb: HEAP_MB,
    cpuMs: CPU_MS,
    mostWaiting,
  })
  return async (owner, task) => {
    if (!isLarge(task.definition)) return checkForPublish(task.definition, task.facts)
    const checked = await check(owner, task)
    if (!checked.ok) throw refuse('platform.busy')
    return checked.value
  }
}

function isLarge(definition: Definition): boolean {
  return definitionToText(definition).length >= LARGE_CHARACTERS
}
