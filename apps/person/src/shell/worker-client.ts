import { type Failure, FailureError, scriptUrl } from '@sealpost/ui'
import type { Topic } from '../worker/context.ts'
import type { Answer, CommandName, InputOf, OutputOf, Request, Settings } from '../worker/messages.ts'

interface Waiting {
  // oxlint-disable-next-line typescript/no-explicit-any -- each command has its own output
  readonly resolve: (value: any) => void
  readonly reject: (error: FailureError) => void
}

const waiting = new Map<number, Waiting>()
const listeners = new Set<(topics: readonly Topic[]) => void>()
const ready = Promise.withResolvers<void>()
let last = 0
let worker: Worker | null = null

/** Started once; it has the keys, so it lives as long as the page. */
export function startWorker(url: string, settings: Settings): void {
  const started = new Worker(scriptUrl(url), { type: 'module', name: 'sealpost' })
  worker = started
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    if ('ready' in data) {
      started.postMessage(settings)
      ready.resolve()
    } else if ('changed' in data) for (const listener of listeners) listener(data.changed)
    else settle(data)
  })
  started.addEventListener('error', () => {
    for (const id of waiting.keys()) settle({ id, failure: { kind: 'unexpected', message: 'the worker has ended' } })
  })
}

/** Asks the worker; a refusal is thrown as a `FailureError`. */
export async function call<Name extends CommandName>(name: Name, ...input: InputOf<Name>): Promise<OutputOf<Name>> {
  await ready.promise
  const id = (last += 1)
  const request: Request = { id, name, input }
  const answer = new Promise<OutputOf<Name>>((resolve, reject) => {
    waiting.set(id, { resolve, reject })
  })
  worker?.postMessage(request)
  return answer
}

export function onChanged(listener: (topics: readonly Topic[]) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function settle(answer: { readonly id: number } & ({ readonly value: unknown } | { readonly failure: Failure })): void {
  const { resolve, reject } = waiting.get(answer.id) ?? {}
  waiting.delete(answer.id)
  if ('failure' in answer) reject?.(new FailureError(answer.failure))
  else resolve?.(answer.value)
}
