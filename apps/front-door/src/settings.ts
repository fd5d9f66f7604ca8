import { busSettings } from '@sealpost/bus'
import { httpSettings } from '@sealpost/http'
import {
  customSetting,
  integerSetting,
  keyringSetting,
  Secret,
  secretSetting,
  urlSetting,
  type Settings,
} from '@sealpost/kernel'
import { databaseSettings } from '@sealpost/postgres'
import { processSettings } from '@sealpost/process'
import { regionsSetting } from '@sealpost/protocol'
import { redisSettings } from '@sealpost/redis'
import { parseSigningKeys } from './platform/signing-keys.ts'

/** Every setting of the front door; `docs/settings.md` is printed from this table. */
export const frontDoorSettings = {
  PUBLIC_URL: urlSetting({ about: 'The address under which callers reach the front door; also the token issuer.' }),
  AUTH_WEB_URL: customSetting(
    {
      about:
        'The consent page of the person app, to which requests of sign-in apps are redirected; for instance https://my.example.com/consent.',
    },
    'an http or https address',
    parseWebAddress,
  ),
  FORWARDER_URL: urlSetting({
    about: 'The address under which clients reach the plugin forwarder; passes for plugins name it as their audience.',
  }),
  DIRECTORY_DATABASE_URL: secretSetting({
    about: 'PostgreSQL address of the directory; several hosts may be listed, the one not in recovery is used.',
  }),
  ...databaseSettings,
  ...redisSettings,
  REGIONS: regionsSetting({
    about:
      'The regions: `code|name|base address|NATS addresses`, separated by commas; several NATS addresses by semicolons. One with `tls://` is never used without TLS.',
  }),
  SIGNING_KEYS: customSetting(
    {
      about:
        'Private JWK set; the first ES256 key signs access tokens and passes, the first RS256 key ID tokens, the others are still published.',
    },
    'a JSON Web Key Set with an ES256 and an RS256 private key, each with a kid',
    parseSigningKeys,
    true,
  ),
  SECRET_PEPPER: keyringSetting({ about: 'Keys under which client secrets are hashed.' }),
  DIRECTORY_KEY: customSetting(
    {
      about:
        'The key under which e-mail addresses are hashed. It must never change: accounts are found by ' +
        'these hashes, and the addresses are not stored, so they cannot be hashed again.',
    },
    'a secret of 32 characters or more',
    parseDirectoryKey,
    true,
  ),
  RATE_TOKEN: integerSetting({ about: 'Token requests per minute and source address.', fallback: '60', min: 1 }),
  RATE_DATA: integerSetting({
    about: 'Reads of userinfo per minute, app and person, and consents per minute and person.',
    fallback: '600',
    min: 1,
  }),
  RATE_LOGIN_IP: integerSetting({
    about: 'Logins and registrations per minute and source address.',
    fallback: '10',
    min: 1,
  }),
  RATE_LOGIN_ACCOUNT: integerSetting({
    about:
      'Failed logins per minute and account, for all strangers together; a device or source address that has logged in ' +
      'to the account before has as many of its own.',
    fallback: '5',
    min: 1,
  }),
  KDF_MEMORY_KIB: integerSetting({
    about:
      'Argon2 memory that the web apps choose for new passwords. Addresses without an account report parameters of ' +
      'accounts, so raising it reveals none.',
    fallback: '65536',
    min: 32_768,
    max: 1_048_576,
  }),
  KDF_PASSES: integerSetting({
    about: 'Argon2 passes that the web apps choose for new passwords.',
    fallback: '3',
    min: 2,
    max: 16,
  }),
  RATE_RESULT: integerSetting({
    about: 'Detached-result polls per minute, client and state.',
    fallback: '60',
    min: 1,
    max: 1_200_000,
  }),
  REFRESH_TTL_DAYS: integerSetting({
    about: 'How long a refresh token lives when it is not used.',
    fallback: '30',
    min: 1,
  }),
  REFRESH_MAX_DAYS: integerSetting({ about: 'How long a grant can be renewed at most.', fallback: '90', min: 1 }),
  ...busSettings,
  ...httpSettings,
  ...processSettings,
} as const

function parseWebAddress(text: string): string {
  const { protocol, hash } = new URL(text)
  if ((protocol !== 'https:' && protocol !== 'http:') || hash !== '')
    throw new Error('not an http or https address without a fragment')
  return text
}

function parseDirectoryKey(text: string): Secret<string> {
  if (text.length < 32) throw new Error('shorter than 32 characters')
  return new Secret(text)
}

export type FrontDoorSettings = Settings<typeof frontDoorSettings>
