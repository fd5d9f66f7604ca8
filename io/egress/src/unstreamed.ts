import type { Connection } from './connections.ts'
import { announcedBytes, flattenHeaders, interruption, tooLarge } from './exchange.ts'
import type { EgressRequest, EgressResponse } from './request.ts'
import type { Target } from './target.ts'
import type { Trip } from './trip.ts'

export interface UnstreamedAnswer extends Omit<EgressResponse, 'timings'> {
  readonly connection: Connection
  /** The answer was read to its end, so that the connection can carry another request. */
  readonly isComplete: boolean
}

const NOT_NEEDED = new Error('the rest of the answer is not needed')

/**
 * [Note: unstreamed answers] An answer that is wanted whole, or for its status alone, pays for no stream: its bytes are
 * counted as they arrive, and kept or discarded. After `maxResponseBytes` a whole answer is refused; for a status the rest
 * is not awaited, since it is known by then.
 */
export function exchangeUnstreamed(
  connection: Connection,
  target: Target,
  request: EgressRequest,
  trip: Trip,
  wanted: 'whole' | 'status',
): Promise<UnstreamedAnswer> {
  trip.enter('wait')
  return new Promise((resolve, reject) => {
    let abort: ((reason: Error) => void) | null = null
    let head: Pick<EgressResponse, 'status' | 'headers'> = { status: 0, headers: {} }
    let seenBytes = 0
    const chunks: Uint8Array[] = []
    const stopListening = trip.onOver((reason) => {
      // A request that was not started waits in a client that is destroyed with its connection.
      abort?.(reason)
      fail(reason)
    })
    const done = (isComplete: boolean): void => {
      stopListening()
      const [only] = chunks
      const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
      resolve({ ...head, body, connection, isComplete })
    }
    const fail = (error: unknown): void => {
      stopListening()
      reject(interruption(error))
    }
    const cutOff = (): void => {
      if (wanted === 'status') done(false)
      else fail(tooLarge(request, head.status))
      abort?.(NOT_NEEDED)
    }
    connection.client.dispatch(
      {
        method: request.method,
        path: target.path,
        headers: request.headers ?? {},
        body: request.body ?? null,
      },
      {
        onRequestStart(controller) {
          abort = (reason) => controller.abort(reason)
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return
          head = { status, headers: wanted === 'whole' ? flattenHeaders(headers) : {} }
          trip.enter('read')
          if (wanted === 'whole' && announcedBytes(request, headers) > request.maxResponseBytes) cutOff()
        },
        onResponseData(_controller, chunk) {
          seenBytes += chunk.byteLength
          if (seenBytes > request.maxResponseBytes) cutOff()
          else if (wanted === 'whole') chunks.push(chunk)
        },
        onResponseEnd: () => done(true),
        onResponseError: (_controller, error) => fail(error),
      },
    )
  })
}
