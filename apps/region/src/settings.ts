import { busSettings } from '@sealpost/bus'
import { egressSettings } from '@sealpost/egress'
import {
  choiceSetting,
  integerSetting,
  listSetting,
  type Settings,
  secretSetting,
  switchSetting,
  textSetting,
} from '@sealpost/kernel'
import { objectsSettings } from '@sealpost/objects'
import { regionsSetting } from '@sealpost/protocol'

/** Every setting of a region; `docs/settings.md` is printed from this table. */
export const regionSettings = {
  REGION: textSetting({ about: 'The code of this region, one of `REGIONS`.' }),
  REGION_ROLES: listSetting({
    about: 'What this process does: `api`, `worker` or both. A small site runs both in one process.',
    fallback: 'api,worker',
  }),
  REGIONS: regionsSetting({
    about:
      'The regions: `code|name|base address|NATS addresses`, separated by commas; several NATS addresses by semicolons.',
  }),
  FRONT_DOOR_URL: textSetting({
    about: 'The public address of the front door; also the issuer that tokens must name.',
  }),
  LISTEN_HOST: textSetting({ about: 'The address to listen on.', fallback: '127.0.0.1' }),
  LISTEN_PORT: integerSetting({ about: 'The port to listen on; 0 takes a free one.', fallback: '8090' }),
  INTERNAL_HOST: textSetting({
    about: 'The address for liveness, readiness and metrics; not for callers from outside.',
    fallback: '127.0.0.1',
  }),
  INTERNAL_PORT: integerSetting({
    about: 'The port for liveness, readiness and metrics; 0 takes a free one.',
    fallback: '8091',
  }),
  DATABASE_URL: secretSetting({
    about: 'PostgreSQL address of this region; several hosts may be listed, the one not in recovery is used.',
  }),
  DATABASE_POOL: integerSetting({ about: 'Connections to the database per process.', fallback: '10', min: 1 }),
  REDIS_URL: secretSetting({ about: 'Redis or Valkey for rate limits; losing it loses no data.' }),
  ...objectsSettings,
  ...egressSettings,
  HEADER_VENDOR: textSetting({ about: 'The word in `X-<word>-…` header names.', fallback: 'Platform' }),
  APP_ORIGINS: listSetting({ about: 'Origins of the web apps that may call from a browser.', fallback: '' }),
  TRUSTED_PROXIES: listSetting({ about: 'Addresses or ranges whose X-Forwarded-For is believed.', fallback: '' }),
  RATE_TOKEN: integerSetting({ about: 'Token requests per minute and source address.', fallback: '60', min: 1 }),
  RATE_CHANGES: integerSetting({ about: 'Change-feed drains per minute and service.', fallback: '120', min: 1 }),
  RATE_CONNECTIONS: integerSetting({ about: 'Connection pages per minute and service.', fallback: '60', min: 1 }),
  RATE_DATA: integerSetting({
    about: 'Other reads and writes per minute and service or client.',
    fallback: '600',
    min: 1,
  }),
  RATE_TWOFA: integerSetting({ about: 'Challenges raised per minute and service.', fallback: '60', min: 1 }),
  RATE_TWOFA_POLL: integerSetting({ about: 'Polls per minute and challenge.', fallback: '60', min: 1 }),
  RATE_LOGIN_IP: integerSetting({ about: 'Logins per minute and source address.', fallback: '10', min: 1 }),
  RATE_RESULT: integerSetting({ about: 'Detached-result polls per minute, client and state.', fallback: '60', min: 1 }),
  RATE_MESSAGES: integerSetting({ about: 'Messages per minute and service.', fallback: '120', min: 1 }),
  RATE_BROADCAST_HOUR: integerSetting({ about: 'Broadcasts per hour and service.', fallback: '10', min: 1 }),
  LOG_LEVEL: choiceSetting({ about: 'How much is logged.', fallback: 'info' }, ['debug', 'info', 'warn', 'error']),
  TRACE_URL: textSetting({ about: 'OTLP/HTTP address of a trace collector; empty sends none.', fallback: '' }),
  TRACE_PERCENT: integerSetting({ about: 'Share of new traces that are kept, in percent.', fallback: '1' }),
  ...busSettings,
  DRAIN_SECONDS: integerSetting({
    about: 'How long a process that is ending still serves while it says that it is not ready.',
    fallback: '5',
  }),
  STRICT_CONTRACT: switchSetting({
    about: 'Fails a call whose answer does not match its documentation; for development and tests.',
    fallback: '0',
  }),
} as const

export type RegionSettings = Settings<typeof regionSettings>
