import type { Readable } from 'node:stream'
import type { Served } from './exchange.ts'

/** The status has been sent, so a source that fails can only cut the answer: the log says why. */
export function logCut({ options, request, route }: Served, body: Readable): void {
  body.once('error', (error) => {
    const fields = { err: error, operation: route.operation.id, request_id: request.id }
    options.telemetry.log.warn(fields, 'an answer was cut')
  })
}
