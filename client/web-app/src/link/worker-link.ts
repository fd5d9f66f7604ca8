import { FailureError, scriptUrl } from '@sealpost/ui'
import type { Answer, Outcome, Request, Settings } from './messages.ts'

/** What a page needs of a `Worker`; a test hands in one of its own. */
export interface WorkerPort {
  postMessage(message: Request | Settings): void
  addEventListener(name: 'message', listener: (event: { readonly data: Answer }) => void): void
  addEventListener(name: 'error', listener: () => void): void
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: FailureError) => void
}

const waiting = new Map<number, Waiting>()
const listeners = new Set<(topics: readonly string[]) => void>()
let last = 0
let connected: Promise<WorkerPort> | null = null

/** Started once; it has the keys, so it lives as long as the page. */
export function startWorker(url: string, settings: Settings): void {
  connectWorker(new Worker(scriptUrl(url), { type: 'module', name: 'sealpost' }), settings)
}

export function connectWorker(port: WorkerPort, settings: Settings): void {
  const { promise, resolve } = Promise.withResolvers<WorkerPort>()
  connected = promise
  port.addEventListener('message', ({ data }) => {
    if ('ready' in data) {
      port.postMessage(settings)
      resolve(port)
    } else if ('changed' in data) for (const listener of listeners) listener(data.changed)
    else settle(data)
  })
  port.addEventListener('error', () => {
    for (const id of waiting.keys()) settle({ id, failure: { kind: 'unexpected', message: 'the worker has ended' } })
  })
}

/** Asks the worker; a refusal is thrown as a `FailureError`. */
export async function ask(name: string, input: readonly unknown[]): Promise<unknown> {
  if (connected === null) throw new Error(`${name} was asked before the worker was started`)
  const port = await connected
  const id = (last += 1)
  const answer = new Promise<unknown>((resolve, reject) => {
    waiting.set(id, { resolve, reject })
  })
  port.postMessage({ id, name, input })
  return answer
}

export function onChanged(listener: (topics: readonly string[]) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function settle(answer: { readonly id: number } & Outcome): void {
  const { resolve, reject } = waiting.get(answer.id) ?? {}
  waiting.delete(answer.id)
  if ('failure' in answer) reject?.(new FailureError(answer.failure))
  else resolve?.(answer.value)
}
