import { createHash } from 'node:crypto'
import { allOperations, forwarderOperations, type Operation } from '@sealpost/protocol'
import type { Seen } from '../proxy.ts'

/** An answer as a client gets it. */
interface Answered {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** Changes an answer on its way to the client; undefined leaves it as it is. */
export type Tamper = (answer: { readonly operation: string; readonly body: unknown }) => unknown

export interface Replay {
  readonly fetch: typeof globalThis.fetch
  readonly seen: readonly (Seen & { readonly origin: string })[]
  /** Whether an answer was changed. */
  isChanged(): boolean
}

/** What an honest installation has answered during one journey. It is told again without it, as often as needed. */
export interface Tape {
  /** Passes calls on and keeps the answers. */
  readonly record: typeof globalThis.fetch
  replay(tamper: Tamper): Replay
  /** The answers of the journey, by operation, as they came. */
  answers(): readonly { readonly operation: string; readonly body: unknown }[]
}

/** Answers that depend on the question itself, such as those of a plugin: computed again at each replay. */
export type Computed = (path: string, body: string) => Promise<unknown>

export function newTape(honest: typeof globalThis.fetch, computed: Computed): Tape {
  const kept = new Map<string, Answered[]>()
  const told: { operation: string; body: unknown }[] = []
  return {
    async record(input, init) {
      const { sent, url } = await readRequest(input, init)
      const answer = await honest(input, init)
      const answered = { status: answer.status, headers: [...answer.headers], body: await answer.clone().text() }
      const name = nameOf(sent.method, url)
      kept.set(name, [...(kept.get(name) ?? []), answered])
      const operation = operationOf(sent)
      if (operation !== null) told.push({ operation, body: jsonOf(answered.body) })
      return answer
    },
    replay: (tamper) => replay(kept, computed, tamper),
    answers: () => told,
  }
}

function replay(kept: ReadonlyMap<string, readonly Answered[]>, computed: Computed, tamper: Tamper): Replay {
  const places = new Map<string, number>()
  const seen: (Seen & { readonly origin: string })[] = []
  let isChanged = false
  return {
    seen,
    isChanged: () => isChanged,
    async fetch(input, init) {
      const { sent, url } = await readRequest(input, init)
      seen.push({ ...sent, origin: url.origin })
      if (url.hostname.endsWith('evil.example')) throw new TypeError('fetch failed: the address of the operator')
      const name = nameOf(sent.method, url)
      const place = places.get(name) ?? 0
      places.set(name, place + 1)
      const answers = kept.get(name) ?? []
      const answer = answers[place] ?? answers.at(-1)
      if (answer === undefined) return Response.json({ error_key: 'request.not_found', error: 'no' }, { status: 404 })
      const fresh = await computed(sent.path, sent.body)
      const honest = fresh === undefined ? answer.body : JSON.stringify(fresh)
      const operation = operationOf(sent)
      const lie = operation === null ? undefined : tamper({ operation, body: jsonOf(honest) })
      const body = lie === undefined ? honest : JSON.stringify(lie)
      if (body !== honest) isChanged = true
      // The operator computes the digest of what it says, too.
      const headers = answer.headers.flatMap(([header, value]): [string, string][] => {
        if (header.endsWith('content-sha256')) return [[header, createHash('sha256').update(body).digest('hex')]]
        return /^content-(?:length|encoding)$/.test(header) ? [] : [[header, value]]
      })
      return new Response(answer.status === 204 ? null : body, {
        status: answer.status,
        headers,
      })
    },
  }
}

async function readRequest(input: string | URL | Request, init?: RequestInit) {
  const request = new Request(input, init)
  const url = new URL(request.url)
  const body = await request.text()
  return { url, sent: { method: request.method, path: url.pathname, body } satisfies Seen }
}

/** Without the origin: a client that was led elsewhere is seen there. */
function nameOf(method: string, { pathname, search }: URL): string {
  return `${method} ${pathname}${search}`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Paths with fewer parameters first: `/keys/batch` is not a share code. */
const operations = [...allOperations, ...forwarderOperations]
  .toSorted((one, other) => parametersIn(one) - parametersIn(other))
  .map(({ id, method, path }) => ({ id, method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))

function parametersIn({ path }: Operation): number {
  return path.split('{').length
}

export function operationOf({ method, path }: Pick<Seen, 'method' | 'path'>): string | null {
  return operations.find((each) => each.method === method && each.path.test(path))?.id ?? null
}
