import { waitUntil } from '@sealpost/testkit'

export interface StreamEvent {
  readonly id: string | null
  readonly event: string
  readonly data: string
}

/** A reader of a stream of hints. */
export interface Listening {
  readonly status: number
  readonly text: () => string
  readonly events: () => readonly StreamEvent[]
  /** The `{ kind, id }` of the hints so far. */
  readonly hints: () => readonly unknown[]
  /** The newest id of an event, also of one without data. */
  readonly lastId: () => string
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

interface Login {
  readonly apiUrl: string
  readonly token: string
}

const WAIT_MS = 10_000

/** Opens a stream; resolves when it has begun, or was refused. */
export async function listenTo({ apiUrl, token }: Login, lastEventId?: string): Promise<Listening> {
  const ending = new AbortController()
  const response = await fetch(`${apiUrl}/api/customer/stream`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: ending.signal,
  })
  let text = ''
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    // Node's types do not give the type of the chunks.
    const source: ReadableStream<Uint8Array> | null = response.body
    const reader = source?.getReader()
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      text += decoder.decode(part.value, { stream: true })
    }
  }
  const ended = read().catch(() => {})
  await waitUntil('the stream has begun', WAIT_MS, async () => text !== '')
  const events = (): readonly StreamEvent[] => parseEvents(text)
  return {
    status: response.status,
    text: () => text,
    events,
    hints: () =>
      events()
        .filter(({ event }) => event === 'hint')
        .map(({ data }): unknown => JSON.parse(data)),
    lastId: () => events().findLast(({ id }) => id !== null)?.id ?? '',
    ended,
    async close() {
      ending.abort()
      await ended
    },
  }
}

function parseEvents(text: string): readonly StreamEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const lines = block
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
      const find = (name: string): string | null => lines.find(([key]) => key === name)?.[1] ?? null
      return { id: find('id'), event: find('event') ?? '', data: find('data') ?? '' }
    })
}
