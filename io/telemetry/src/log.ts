import type { Clock } from '@sealpost/kernel'
import pino from 'pino'
import { redact } from './redact.ts'
import type { Log } from './telemetry.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface LogOptions {
  readonly level: LogLevel
  /** Part of every line. */
  readonly base: Readonly<Record<string, string>>
  readonly clock: Clock
  /** The trace that is being recorded, so that a line can be found from it. */
  readonly currentTraceId: () => string | null
  readonly destination: { write(line: string): void; flush(): void }
}

export function openLog(options: LogOptions): Log {
  const logger = pino(
    {
      level: options.level,
      base: options.base,
      timestamp: timestamps(options.clock),
      // `redact` has described errors already; pino's own serializer would print every member of one.
      serializers: { err: (described: unknown) => described },
      formatters: {
        level: (level) => ({ level }),
        log: (fields) => withTrace(redact(fields), options.currentTraceId()),
      },
    },
    options.destination,
  )
  return wrap(logger, options.destination)
}

function wrap(logger: pino.Logger, destination: LogOptions['destination']): Log {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error(fields, message) {
      logger.error(fields, message)
      destination.flush()
    },
    // pino does not run its formatters over the fields of a child.
    child: (fields) => wrap(logger.child(redact(fields)), destination),
  }
}

function withTrace(fields: object, traceId: string | null): Record<string, unknown> {
  if (traceId !== null) return { ...fields, trace_id: traceId }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pino asks for a record where any object will do
  return fields as Record<string, unknown>
}

/**
 * Formatting the time costs more than the rest of the line's head; a busy process writes many lines per millisecond.
 */
function timestamps(clock: Clock): () => string {
  let lastMs = Number.NaN
  let text = ''
  return () => {
    const nowMs = clock.now()
    if (nowMs !== lastMs) {
      lastMs = nowMs
      text = `,"time":"${new Date(nowMs).toISOString()}"`
    }
    return text
  }
}
