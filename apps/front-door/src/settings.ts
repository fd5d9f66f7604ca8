import { busSettings } from '@sealpost/bus'
import { httpSettings } from '@sealpost/http'
import {
  customSetting,
  integerSetting,
  keyringSetting,
  secretSetting,
  urlSetting,
  type Settings,
} from '@sealpost/kernel'
import { processSettings } from '@sealpost/process'
import { regionsSetting } from '@sealpost/protocol'
import { parseSigningKeys } from './oauth/signing-keys.ts'

/** Every setting of the front door; `docs/settings.md` is printed from this table. */
export const frontDoorSettings = {
  PUBLIC_URL: urlSetting({ about: 'The address under which callers reach the front door; also the token issuer.' }),
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
  RATE_TOKEN: integerSetting({ about: 'Token requests per minute and source address.', fallback: '60', min: 1 }),
  ...busSettings,
  ...httpSettings,
  ...processSettings,
} as const

export type FrontDoorSettings = Settings<typeof frontDoorSettings>
