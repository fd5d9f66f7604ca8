import type { Answer, Outcome, Request, Settings } from '../link/messages.ts'

interface WorkerScope {
  postMessage(message: Answer): void
  addEventListener(name: 'message', listener: (event: MessageEvent<Request | Settings>) => void): void
}

/** Runs commands, with the SDK and the cryptography behind them. */
export interface Full {
  run(request: Request): Promise<Outcome>
}

export interface Serving {
  /** What the first page needs to know, without loading the rest; null for what needs the rest. */
  readonly first: (request: Request) => Promise<Outcome | null>
  readonly load: (settings: Settings, changed: (...topics: readonly string[]) => void) => Promise<Full>
}

/** The worker of an app: takes commands and answers plain data. Everything is loaded with the first other command. */
export function serveCommands({ first, load }: Serving): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this file runs as a worker; the types are a page's
  const scope = globalThis as unknown as WorkerScope
  let settings: Settings | null = null
  let full: Promise<Full> | null = null
  const loadFull = (): Promise<Full> => {
    if (settings === null) throw new Error('a command came before the settings')
    full ??= load(settings, (...topics) => scope.postMessage({ changed: topics }))
    return full
  }
  const answer = async (request: Request): Promise<Outcome> => {
    try {
      const known = full === null ? await first(request) : null
      return known ?? (await (await loadFull()).run(request))
    } catch (error) {
      // The file could not be loaded: without a network, before it was ever opened.
      full = null
      if (error instanceof TypeError) return { failure: { kind: 'offline' } }
      return { failure: { kind: 'unexpected', message: String(error) } }
    }
  }
  scope.addEventListener('message', ({ data }) => {
    if ('frontDoorUrl' in data) settings = data
    else void answer(data).then((outcome) => scope.postMessage({ id: data.id, ...outcome }))
  })
  scope.postMessage({ ready: true })
}
