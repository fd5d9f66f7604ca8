import type { AccessWatch, Platform } from '../../../platform/module.ts'

export type HubContext = Pick<
  Platform,
  'database' | 'clock' | 'random' | 'log' | 'telemetry' | 'monotonicMs' | 'onNotify'
> & {
  readonly access: AccessWatch
  readonly settings: Pick<Platform['settings'], 'STREAMS_ACCOUNT'>
  readonly processId: string
}
