import { choiceSetting, integerSetting, textSetting } from '@sealpost/kernel'

/** The settings of every server process: where it listens, what it reports, how it ends. */
export const processSettings = {
  LISTEN_HOST: textSetting({ about: 'The address to listen on.', fallback: '127.0.0.1' }),
  LISTEN_PORT: integerSetting({ about: 'The port to listen on; 0 takes a free one.', fallback: '8080', max: 65_535 }),
  INTERNAL_HOST: textSetting({
    about: 'The address for liveness, readiness and metrics; not for external callers.',
    fallback: '127.0.0.1',
  }),
  INTERNAL_PORT: integerSetting({
    about: 'The port for liveness, readiness and metrics; 0 takes a free one.',
    fallback: '8081',
    max: 65_535,
  }),
  LOG_LEVEL: choiceSetting({ about: 'The minimum level of log lines.', fallback: 'info' }, [
    'debug',
    'info',
    'warn',
    'error',
  ]),
  TRACE_URL: textSetting({ about: 'OTLP/HTTP address of a trace collector; empty sends none.', fallback: '' }),
  TRACE_PERCENT: integerSetting({
    about: 'Share of new traces that are kept, in percent.',
    fallback: '1',
    max: 100,
  }),
  DRAIN_SECONDS: integerSetting({
    about: 'How long a process that is ending still serves while it reports that it is not ready.',
    fallback: '5',
  }),
  SHUTDOWN_GRACE_SECONDS: integerSetting({
    about:
      'How long a process that is ending waits after that for calls and downloads in flight; then it cuts them. An orchestrator must not kill it before the sum of both and 20 seconds more.',
    fallback: '60',
    min: 1,
  }),
} as const
