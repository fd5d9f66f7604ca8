import { waitUntil } from '@sealpost/testkit'

/** A device on which the app is open: it reads the stream of hints. */
export interface OpenApp {
  /** The `{ kind, id }` of the hints so far. */
  readonly hints: () => readonly unknown[]
  close(): Promise<void>
}

const WAIT_MS = 10_000

/** Resolves when the stream has begun, so that no later hint is missed. */
export async function openApp({
  apiUrl,
  token,
}: {
  readonly apiUrl: string
  readonly token: string
}): Promise<OpenApp> {
  const ending = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${apiUrl}/api/customer/stream`, { headers, signal: ending.signal })
  if (answer.status !== 200 || answer.body === null) throw new Error(`no stream: ${await answer.text()}`)
  let text = ''
  const read = async (source: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    const reader = source.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true })
    }
  }
  const ended = read(answer.body).catch(() => {})
  await waitUntil('the stream has begun', WAIT_MS, async () => text.includes('\n\n'))
  return {
    hints: () =>
      [...text.matchAll(/^event: hint\ndata: (.*)$/gmu)].map(([, data = 'null']): unknown => JSON.parse(data)),
    async close() {
      ending.abort()
      await ended
    },
  }
}
