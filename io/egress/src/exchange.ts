import { errors, type Dispatcher } from 'undici'
import { LOST_BEFORE_USE, type Connection } from './connections.ts'
import { codeOf, EgressInterruption } from './failure.ts'
import type { EgressRequest, StreamedResponse } from './request.ts'
import type { Target } from './target.ts'
import type { Trip } from './trip.ts'

type Headers = Dispatcher.ResponseData['headers']

/** An answer whose headers have arrived and whose body is still on the connection. */
export interface Answer {
  readonly connection: Connection
  readonly response: StreamedResponse
  /** The outcome of reading the body, whatever its reader did with it. */
  readonly reading: { isComplete: boolean; interruption: EgressInterruption | null }
}

/** Sends one request on one connection and reads the headers of the answer. */
export async function exchange(
  connection: Connection,
  target: Target,
  request: EgressRequest,
  trip: Trip,
): Promise<Answer> {
  trip.enter('wait')
  const answer = await connection.client
    .request({
      method: request.method,
      path: target.path,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal: trip.signal,
    })
    .catch((error: unknown) => {
      throw interruption(error)
    })
  trip.enter('read')
  const reading: Answer['reading'] = { isComplete: false, interruption: null }
  const body = watched(bounded(answer, request), reading)
  return { connection, reading, response: { status: answer.statusCode, headers: flattenHeaders(answer.headers), body } }
}

/** Whether a kept socket was, as far as can be known, closed by the other side before it accepted this request. */
export function staleness(connection: Connection, error: unknown): 'never_sent' | 'maybe_sent' | null {
  if (!connection.wasUsed || !(error instanceof EgressInterruption) || error.failure.kind !== 'protocol') return null
  if (error.failure.code === LOST_BEFORE_USE) return 'never_sent'
  return CLOSED.has(error.failure.code) ? 'maybe_sent' : null
}

const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

async function* watched(body: AsyncIterable<Uint8Array>, reading: Answer['reading']): AsyncGenerator<Uint8Array> {
  try {
    yield* body
    reading.isComplete = true
  } catch (error) {
    reading.interruption = interruption(error)
    throw reading.interruption
  }
}

/** Bytes are counted as they arrive and never decompressed, so a small answer cannot grow in memory. */
async function* bounded(answer: Dispatcher.ResponseData, request: EgressRequest): AsyncGenerator<Uint8Array> {
  if (announcedBytes(request, answer.headers) > request.maxResponseBytes) throw tooLarge(request, answer.statusCode)
  let seenBytes = 0
  for await (const chunk of answer.body) {
    if (!(chunk instanceof Uint8Array)) continue
    seenBytes += chunk.byteLength
    if (seenBytes > request.maxResponseBytes) throw tooLarge(request, answer.statusCode)
    yield chunk
  }
}

export function interruption(error: unknown): EgressInterruption {
  if (error instanceof EgressInterruption) return error
  if (error instanceof errors.InvalidArgumentError) {
    return new EgressInterruption({ kind: 'refused', reason: 'request_malformed' }, { cause: error })
  }
  return new EgressInterruption({ kind: 'protocol', code: codeOf(error) ?? 'UNKNOWN' }, { cause: error })
}

/** Before a byte of the body has arrived; 0 when the answer does not say. */
export function announcedBytes({ method }: EgressRequest, headers: Headers): number {
  return method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0)
}

export function tooLarge({ maxResponseBytes }: EgressRequest, status: number): EgressInterruption {
  return new EgressInterruption({ kind: 'too_large', limitBytes: maxResponseBytes, status })
}

export function flattenHeaders(headers: Headers): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ')
  return flat
}
