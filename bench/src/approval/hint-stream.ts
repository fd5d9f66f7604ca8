import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'

/** An open stream of hints, as a device has it. */
export interface HintStream {
  /** Resolves with the time (`performance.now()`) at which the hint of this challenge arrived. */
  heard(challengeId: string): Promise<number>
  close(): void
}

const RAISED = /"kind":"challenge_raised","id":"([^"]+)"/g

/** Resolves when the stream has begun. */
export async function openHintStream(url: string, token: string): Promise<HintStream> {
  const arrived = new Map<string, number>()
  const waiting = new Map<string, (at: number) => void>()
  const { sent, answer } = await beginStream(url, token)
  let rest = ''
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    const at = performance.now()
    const text = rest + chunk
    const end = text.lastIndexOf('\n\n') + 1
    rest = text.slice(end)
    for (const [, id = ''] of text.slice(0, end).matchAll(RAISED)) {
      const tell = waiting.get(id)
      if (tell === undefined) arrived.set(id, at)
      else tell(at)
      waiting.delete(id)
    }
  })
  return {
    heard(challengeId) {
      const at = arrived.get(challengeId)
      arrived.delete(challengeId)
      if (at !== undefined) return Promise.resolve(at)
      return new Promise((resolve) => void waiting.set(challengeId, resolve))
    },
    close: () => void sent.destroy(),
  }
}

interface BegunStream {
  readonly sent: ClientRequest
  readonly answer: IncomingMessage
}

/** Resolves when its head has arrived; the rest is for the caller. */
export async function beginStream(url: string, token: string): Promise<BegunStream> {
  const sent = request(url, { headers: { authorization: `Bearer ${token}` }, agent: false })
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end()
  })
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${await textOf(answer)}`)
  // The end of the run cuts it.
  for (const part of [sent, answer]) part.on('error', () => {})
  return { sent, answer }
}
