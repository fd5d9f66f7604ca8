import { busSettings } from '@sealpost/bus'
import {
  choiceSetting,
  customSetting,
  integerSetting,
  keyringSetting,
  listSetting,
  type Settings,
  secretSetting,
  switchSetting,
  textSetting,
} from '@sealpost/kernel'
import { regionsSetting } from '@sealpost/protocol'
import { parseSigningKeys } from './oauth/signing-keys.ts'

/** Every setting of the front door; `docs/settings.md` is printed from this table. */
export const frontDoorSettings = {
  PUBLIC_URL: textSetting({ about: 'The address under which callers reach the front door; also the token issuer.' }),
  LISTEN_HOST: textSetting({ about: 'The address to listen on.', fallback: '127.0.0.1' }),
  LISTEN_PORT: integerSetting({ about: 'The port to listen on; 0 takes a free one.', fallback: '8080' }),
  INTERNAL_HOST: textSetting({
    about: 'The address for liveness, readiness and metrics; not for callers from outside.',
    fallback: '127.0.0.1',
  }),
  INTERNAL_PORT: integerSetting({
    about: 'The port for liveness, readiness and metrics; 0 takes a free one.',
    fallback: '8081',
  }),
  DIRECTORY_DATABASE_URL: secretSetting({
    about: 'PostgreSQL address of the directory; several hosts may be listed, the one not in recovery is used.',
  }),
  DATABASE_POOL: integerSetting({ about: 'Connections to the directory per process.', fallback: '10', min: 1 }),
  REDIS_URL: secretSetting({ about: 'Redis or Valkey for rate limits; losing it loses no data.' }),
  REGIONS: regionsSetting({
    about:
      'The regions: `code|name|base address|NATS addresses`, separated by commas; several NATS addresses by semicolons.',
  }),
  SIGNING_KEYS: customSetting(
    {
      about:
        'Private JWK set; the first ES256 key signs access tokens, the first RS256 key ID tokens, the others are still published.',
    },
    'a JSON Web Key Set with an ES256 and an RS256 private key, each with a kid',
    parseSigningKeys,
    true,
  ),
  SECRET_PEPPER: keyringSetting({ about: 'Keys under which client secrets are hashed.' }),
  HEADER_VENDOR: textSetting({ about: 'The word in `X-<word>-…` header names.', fallback: 'Platform' }),
  APP_ORIGINS: listSetting({ about: 'Origins of the web apps that may call from a browser.', fallback: '' }),
  TRUSTED_PROXIES: listSetting({
    about: 'Addresses or ranges whose X-Forwarded-For is believed.',
    fallback: '',
  }),
  RATE_TOKEN: integerSetting({ about: 'Token requests per minute and source address.', fallback: '60', min: 1 }),
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

export type FrontDoorSettings = Settings<typeof frontDoorSettings>
