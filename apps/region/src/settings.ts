import { busSettings } from '@sealpost/bus'
import { egressSettings } from '@sealpost/egress'
import type { FileCaps } from '@sealpost/field-types'
import { httpSettings } from '@sealpost/http'
import {
  choiceSetting,
  integerSetting,
  keyringSetting,
  listSetting,
  secretSetting,
  switchSetting,
  textSetting,
  urlSetting,
  type Settings,
} from '@sealpost/kernel'
import { mailSettings } from '@sealpost/mail'
import { objectsSettings } from '@sealpost/objects'
import { sealSettings } from '@sealpost/pdf'
import { databaseSettings } from '@sealpost/postgres'
import { processSettings } from '@sealpost/process'
import { regionsSetting } from '@sealpost/protocol'
import { pushSettings } from '@sealpost/push'
import { redisSettings } from '@sealpost/redis'
import { quotaSetting } from './platform/quota.ts'
import { smsSettings } from './platform/sms-gateway.ts'
import { verifiersSetting } from './platform/verifiers.ts'

/** Every setting of a region; `docs/settings.md` is printed from this table. */
export const regionSettings = {
  REGION: textSetting({ about: 'The code of this region, one of `REGIONS`.' }),
  REGION_ROLES: listSetting({
    about: 'The roles of this process: `api`, `worker` or both. A small site runs both in one process.',
    fallback: 'api,worker',
  }),
  REGIONS: regionsSetting({
    about:
      'The regions: `code|name|base address|NATS addresses`, separated by commas; several NATS addresses by semicolons. One with `tls://` is never used without TLS.',
  }),
  FRONT_DOOR_URL: urlSetting({
    about: 'The public address of the front door; also the issuer that tokens must name.',
  }),
  DATABASE_URL: secretSetting({
    about: 'PostgreSQL address of this region; several hosts may be listed, the one not in recovery is used.',
  }),
  ...databaseSettings,
  DATABASE_RESERVE: integerSetting({
    about: 'Connections of `DATABASE_POOL` that only logins and checks of tokens use; at most a quarter of the pool.',
    fallback: '2',
    min: 0,
  }),
  ...redisSettings,
  DATA_KEY: keyringSetting({
    about:
      'Keys that seal data which this region must read again: queued mails, shared claims, secrets of second factors and of webhooks, tokens of plugins.',
  }),
  SECRET_PEPPER: keyringSetting({
    about: 'Keys that seal login credentials, hash mailed codes and derive refresh tokens.',
  }),
  WEBAUTHN_RP_ID: textSetting({
    about:
      'The domain that passkeys are made for: the one that all `APP_ORIGINS` share. Changing it ends all passkeys.',
  }),
  ...objectsSettings,
  ...mailSettings,
  ...smsSettings,
  ...egressSettings,
  ...sealSettings,
  DOCUMENT_MAX_MB: integerSetting({
    about: 'The largest document of a field, in megabytes of 1,048,576 bytes.',
    fallback: '25',
    min: 1,
    max: 34,
  }),
  PHOTO_MAX_MB: integerSetting({ about: 'The largest photo, in the same megabytes.', fallback: '5', min: 1, max: 10 }),
  QUOTA_MB: quotaSetting({
    about:
      'Megabytes of 1,048,576 bytes that an account may store in files of its own, by level; copies for connections do not ' +
      'count. A level that is not listed has no limit.',
    fallback: 'free=200,basic=2000,pro=20000',
  }),
  DOWNLOADS_CALLER: integerSetting({
    about: 'Downloads of files that one caller may have in flight in one process; more are refused with 429.',
    fallback: '8',
    min: 1,
  }),
  ...pushSettings,
  STREAMS_PROCESS: integerSetting({
    about:
      'Streams of hints that one process holds; more are refused with 503. Each is one of `HTTP_CONNECTIONS`: leave room for ' +
      'calls, for 10,000 streams set that to 20,000.',
    fallback: '5000',
    min: 1,
  }),
  STREAMS_ACCOUNT: integerSetting({
    about: 'Streams of hints that one account has in one process; one more ends the oldest.',
    fallback: '20',
    min: 1,
  }),
  VERIFIERS: verifiersSetting({
    about:
      'Providers that may verify values of profile fields, beside the platform itself: `name|method|issuer address|public JWK ' +
      'or JWKS`, separated by semicolons. Methods: `id_document`, `address_document`, `eid`, `sms_code`, `email_code`.',
  }),
  SHARE_ONCE_DAYS: integerSetting({
    about: 'Days for which a file that a customer shared once can be read by the service.',
    fallback: '90',
    min: 1,
  }),
  RATE_TOKEN: integerSetting({ about: 'Token requests per minute and source address.', fallback: '60', min: 1 }),
  RATE_CHANGES: integerSetting({ about: 'Change-feed drains per minute and service.', fallback: '120', min: 1 }),
  RATE_CONNECTIONS: integerSetting({ about: 'Connection pages per minute and service.', fallback: '60', min: 1 }),
  RATE_DATA: integerSetting({
    about: 'Other reads and writes per minute and service or client.',
    fallback: '600',
    min: 1,
  }),
  RATE_TWOFA: integerSetting({ about: 'Challenges raised per minute and service.', fallback: '60', min: 1 }),
  RATE_TWOFA_PERSON: integerSetting({
    about: 'Challenges raised per minute, service and person.',
    fallback: '5',
    min: 1,
  }),
  RATE_TWOFA_POLL: integerSetting({ about: 'Polls per minute and challenge.', fallback: '60', min: 1 }),
  TWOFA_TTL_SECONDS: integerSetting({
    about: 'Seconds in which a person can answer a challenge.',
    fallback: '300',
    min: 1,
    max: 3600,
  }),
  TWOFA_PENDING_MAX: integerSetting({
    about: 'Challenges that a service may have pending for one person.',
    fallback: '3',
    min: 1,
  }),
  RATE_LOGIN_IP: integerSetting({ about: 'Logins per minute and source address.', fallback: '10', min: 1 }),
  RATE_LOGIN_ACCOUNT: integerSetting({
    about: 'Tries of a password or a mailed code per minute and account.',
    fallback: '5',
    min: 1,
  }),
  REFRESH_TTL_DAYS: integerSetting({
    about: 'Days after which a session or grant that was not refreshed ends.',
    fallback: '30',
    min: 1,
  }),
  REFRESH_MAX_DAYS: integerSetting({
    about: 'Days after which a session or grant ends however often it was refreshed.',
    fallback: '90',
    min: 1,
  }),
  RATE_RESULT: integerSetting({ about: 'Detached-result polls per minute, client and state.', fallback: '60', min: 1 }),
  RATE_MESSAGES: integerSetting({ about: 'Messages per minute and service.', fallback: '120', min: 1 }),
  RATE_MESSAGES_PERSON: integerSetting({
    about: 'Messages per minute on one connection, from either side.',
    fallback: '20',
    min: 1,
  }),
  MESSAGES_KEPT_DAYS: integerSetting({
    about:
      'Days for which each side can read the messages of an ended connection, unless it deletes its own copies before.',
    fallback: '730',
    min: 1,
  }),
  RATE_MISSES_HOUR: integerSetting({
    about:
      'Share codes that do not exist which an account may name per hour, with all its clients and users; a source address ' +
      'has four times as many.',
    fallback: '60',
    min: 1,
  }),
  RATE_BROADCAST_HOUR: integerSetting({ about: 'Broadcasts per hour and service.', fallback: '10', min: 1 }),
  BROADCAST_MAX: integerSetting({
    about: 'The most connections of a service that may broadcast a message.',
    fallback: '50000',
    min: 0,
  }),
  ACCEPT_OBJECT_ANSWERS: switchSetting({
    about:
      'Stores an answer of a flow run that came as a wrapper object as its text, for clients that send objects. Without it ' +
      'such a turn is refused with `contact_data.encryption_required`. The setting of the region of the company counts.',
    fallback: 'false',
  }),
  WEBHOOK_PROBE_DELAY_SECONDS: integerSetting({
    about: 'Seconds between the failure of a webhook and its next probe.',
    fallback: '600',
    min: 1,
  }),
  WEBHOOK_CONCURRENCY: integerSetting({
    about: 'Webhooks that one worker process sends to concurrently; one company gets at most three quarters of them.',
    fallback: '2000',
    min: 1,
  }),
  WEBHOOK_PROBES: integerSetting({
    about: 'Concurrent probes of failed webhooks per worker process; they use no slot of healthy webhooks.',
    fallback: '256',
    min: 1,
  }),
  WEBHOOK_CONNECT_MS: integerSetting({
    about: 'Milliseconds in which an endpoint of a webhook must accept the connection.',
    fallback: '5000',
    min: 100,
    max: 15_000,
  }),
  WEBHOOK_TOTAL_MS: integerSetting({
    about: 'Milliseconds for one delivery to a webhook, from the DNS query to the end of the answer.',
    fallback: '10000',
    min: 100,
    // The lease of a webhook queue is renewed below 20 seconds: a delivery and the record of it must fit into the rest.
    max: 15_000,
  }),
  WEBHOOK_CAUSES: choiceSetting(
    {
      about:
        'Where a company sees why its endpoint sent no answer: at ports 80 and 443, or at `all` ports, which lets it scan others; for development.',
      fallback: 'standard_ports',
    },
    ['standard_ports', 'all'],
  ),
  ...busSettings,
  ...httpSettings,
  ...processSettings,
} as const

export type RegionSettings = Settings<typeof regionSettings>

export function fileCaps({ DOCUMENT_MAX_MB, PHOTO_MAX_MB }: RegionSettings): FileCaps {
  return { documentMaxMb: DOCUMENT_MAX_MB, photoMaxMb: PHOTO_MAX_MB }
}

/** The header with the SHA-256 of a file's bytes. */
export function digestHeader({ HEADER_VENDOR }: RegionSettings): string {
  return `x-${HEADER_VENDOR.toLowerCase()}-content-sha256`
}
