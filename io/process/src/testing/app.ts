import { choiceSetting, integerSetting, SettingsError, textSetting } from '@sealpost/kernel'
import { runApp, type RunningApp } from '../run-app.ts'

/** A server process for tests: `node app.ts`, where MODE decides the outcome of its start. */
const settings = {
  MODE: choiceSetting({ about: 'The outcome of the start.' }, ['serve', 'hang', 'bad settings', 'no tables']),
  LOG_LEVEL: choiceSetting({ about: 'How much is logged.', fallback: 'info' }, ['debug', 'info', 'warn', 'error']),
  TRACE_URL: textSetting({ about: 'Where traces go.', fallback: '' }),
  TRACE_PERCENT: integerSetting({ about: 'How many are kept.', fallback: '0' }),
  DRAIN_SECONDS: integerSetting({ about: 'How long it drains.', fallback: '0' }),
  SHUTDOWN_GRACE_SECONDS: integerSetting({ about: 'How long it waits.', fallback: '5' }),
}

await runApp(
  {
    name: 'region',
    version: '1',
    settings,
    async start({ MODE }, { telemetry }): Promise<RunningApp> {
      telemetry.log.info({}, `starting: ${MODE}`)
      // A server keeps its process alive; here a timer does.
      const alive = setInterval(() => {}, 1000)
      switch (MODE) {
        case 'hang':
          return new Promise(() => {})
        case 'bad settings':
          throw new SettingsError(['ROLES: there is no role "apy"'])
        case 'no tables':
          throw new Error('could not read', { cause: Object.assign(new Error('no relation'), { code: '42P01' }) })
        case 'serve':
          return {
            url: null,
            internalUrl: '',
            drain: () => telemetry.log.info({}, 'draining'),
            close: async () => {
              clearInterval(alive)
              telemetry.log.info({}, 'closed')
            },
          }
      }
    },
  },
  (read) => read,
)
