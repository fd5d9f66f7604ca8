import type { ErrorKey } from '@sealpost/protocol'
import type { BoundCounter, BoundHistogram, Telemetry } from '@sealpost/telemetry'
import type { OperationRecorder } from './bound-operation.ts'
import type { Exchange } from './exchange.ts'
import { namedClientOf } from './named-client.ts'

export interface RequestRecorder {
  forOperation(id: string): OperationRecorder
  /** The operation name for requests that matched no route. */
  readonly malformed: OperationRecorder
  /** Writes the one log line of a request, and its metrics. */
  record(exchange: Exchange): void
}

const UNMATCHED = 'unmatched'
/** nginx uses the same status: the caller left before the answer was complete. */
const CALLER_LEFT = 499

export function openRecorder(telemetry: Telemetry): RequestRecorder {
  const requests = telemetry.counter('http_requests', 'Requests by operation and status')
  const durations = telemetry.histogram('http_request_duration_seconds', 'Time from first hook to last byte')
  const planned = telemetry.counter('http_planned_refusals', 'Requests refused because an operator turned a switch')
  const forOperation = (id: string): OperationRecorder => {
    const byStatus = new Map<number, BoundCounter>()
    const duration: BoundHistogram = durations.bind({ operation: id })
    return {
      name: id,
      record(status, seconds) {
        let counter = byStatus.get(status)
        if (counter === undefined) {
          counter = requests.bind({ operation: id, 'http.response.status_code': status })
          byStatus.set(status, counter)
        }
        counter.add(1)
        duration.record(seconds)
      },
    }
  }
  const unmatched = forOperation(UNMATCHED)
  return {
    forOperation,
    malformed: forOperation('malformed'),
    record(exchange) {
      const recorder = exchange.route?.recorder ?? unmatched
      const ms = performance.now() - exchange.startedAtMs
      const status = statusOf(exchange)
      // The time that a stream was open says nothing about how fast it was answered.
      const answeredMs = exchange.streamedAtMs === null ? ms : exchange.streamedAtMs - exchange.startedAtMs
      recorder.record(status, answeredMs / 1000)
      if (isPlanned(exchange)) planned.add(1, { reason: exchange.errorKey ?? '' })
      logRequest(telemetry, exchange, recorder.name, status, ms)
    },
  }
}

function statusOf({ reply, streamedAtMs }: Exchange): number {
  return reply.raw.writableFinished || streamedAtMs !== null ? reply.raw.statusCode : CALLER_LEFT
}

/** Never the query, a header or a body: they contain user data. */
function logRequest(telemetry: Telemetry, exchange: Exchange, operation: string, status: number, ms: number): void {
  const fields = {
    method: exchange.request.method,
    operation,
    status,
    duration_ms: Math.round(ms * 1000) / 1000,
    request_id: exchange.request.id,
    caller: exchange.callerName,
    error_key: exchange.errorKey,
    ...clientMember(exchange),
  }
  if (status >= 500 && !isPlanned(exchange) && !isShed(exchange)) telemetry.log.error(fields, 'request')
  else telemetry.log.info(fields, 'request')
}

/** Refusals while an operator has turned a switch. They are no failures: see docs/runbooks/logs-and-readiness.md. */
const PLANNED = ['db.writes_paused', 'platform.out_of_order'] as const satisfies readonly ErrorKey[]

function isPlanned({ errorKey }: Exchange): boolean {
  return PLANNED.some((key) => key === errorKey)
}

/** Refused in front of its work, see [Note: overload]: each such line as an error would be more load. */
function isShed({ route, isAdmitted }: Exchange): boolean {
  return route !== null && !isAdmitted
}

function clientMember(exchange: Exchange): { readonly client_id?: string } {
  const clientId = exchange.errorKey === null || exchange.callerName !== null ? null : namedClientOf(exchange)
  return clientId === null ? {} : { client_id: clientId }
}
