import type { Connection } from './connections.ts'
import { interruption } from './exchange.ts'
import type { EgressRequest } from './request.ts'
import type { Target } from './target.ts'
import type { Trip } from './trip.ts'

export interface StatusAnswer {
  readonly status: number
  /** The answer was read to its end, so that the connection can carry another request. */
  readonly isComplete: boolean
}

/**
 * [Note: status only] A caller that needs only the status pays for no stream: the bytes of the answer are counted as
 * they arrive and discarded. After `maxResponseBytes` the rest is not awaited; the status is known by then.
 */
export function exchangeForStatus(
  connection: Connection,
  target: Target,
  request: EgressRequest,
  trip: Trip,
): Promise<StatusAnswer> {
  trip.enter('wait')
  return new Promise((resolve, reject) => {
    let abort: ((reason: Error) => void) | null = null
    let status = 0
    let seenBytes = 0
    const stopListening = trip.onOver((reason) => {
      // A request that was not started waits in a client that is destroyed with its connection.
      abort?.(reason)
      fail(reason)
    })
    const done = (isComplete: boolean): void => {
      stopListening()
      resolve({ status, isComplete })
    }
    const fail = (error: unknown): void => {
      stopListening()
      reject(interruption(error))
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
        onResponseStart(_controller, statusCode) {
          if (statusCode < 200) return
          status = statusCode
          trip.enter('read')
        },
        onResponseData(controller, chunk) {
          seenBytes += chunk.byteLength
          if (seenBytes <= request.maxResponseBytes) return
          done(false)
          controller.abort(new Error('the rest of the answer is not needed'))
        },
        onResponseEnd: () => done(true),
        onResponseError: (_controller, error) => fail(error),
      },
    )
  })
}
