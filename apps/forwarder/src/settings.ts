import { busSettings } from '@sealpost/bus'
import { egressSettings } from '@sealpost/egress'
import { httpSettings } from '@sealpost/http'
import { customSetting, integerSetting, Secret, type Settings, urlSetting } from '@sealpost/kernel'
import { processSettings } from '@sealpost/process'
import { regionsSetting } from '@sealpost/protocol'
import { redisSettings } from '@sealpost/redis'

const { NATS_KEYS, NATS_CA_FILE, ALLOW_ANONYMOUS_NATS, ASK_TIMEOUT_MS } = busSettings
const { ALLOW_PRIVATE_TARGETS, EGRESS_PLATFORM_HOSTS } = egressSettings

/** Every setting of the forwarder; `docs/settings.md` is printed from this table. */
export const forwarderSettings = {
  PUBLIC_URL: urlSetting({
    about:
      'The address under which clients reach the forwarder: FORWARDER_URL of the front door. Passes for another address are refused.',
  }),
  FRONT_DOOR_URL: urlSetting({ about: 'The address of the front door, which signs the passes.' }),
  REGIONS: regionsSetting({ about: 'The regions, as at the front door.' }),
  ...redisSettings,
  PLUGIN_TIMEOUT_MS: integerSetting({
    about:
      'Milliseconds in which a plugin must answer; one more second is for fetching its description after a change of its key.',
    fallback: '3000',
    min: 100,
    max: 3000,
  }),
  PLUGIN_RATE: integerSetting({
    about: 'Calls per minute and plugin, of all forwarders together.',
    fallback: '60',
    min: 1,
    max: 1_000_000,
  }),
  PLUGIN_INFLIGHT_MAX: integerSetting({
    about: 'Calls that a plugin has in flight, of all forwarders together.',
    fallback: '8',
    min: 1,
    max: 10_000,
  }),
  BUILTIN_KEYS: customSetting(
    {
      about:
        'Private keys of the built-in plugins, the same in every forwarder. Questions are sealed to the first; those for the others are still answered. To replace a key, add the new one as the second everywhere, then make it the first; keep the former one behind it, since it vouches for the new one at clients that have pinned it.',
    },
    'RSA-2048 keys as PKCS #8 in base64, separated by commas',
    parseKeys,
    true,
  ),
  NATS_KEYS,
  NATS_CA_FILE,
  ALLOW_ANONYMOUS_NATS,
  ASK_TIMEOUT_MS,
  ALLOW_PRIVATE_TARGETS,
  EGRESS_PLATFORM_HOSTS,
  ...httpSettings,
  INFLIGHT_PROCESS_MB: integerSetting({
    about:
      'Bodies of all calls in flight in one process, in the same megabytes; the heap (`--max-old-space-size`) needs three times as many beside 50.',
    fallback: '64',
    min: 1,
  }),
  ...processSettings,
} as const

function parseKeys(text: string): readonly Secret<Uint8Array<ArrayBuffer>>[] {
  const keys = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (keys.length === 0) throw new Error('there is none')
  return keys.map((key) => new Secret(Uint8Array.from(Buffer.from(key, 'base64'))))
}

export type ForwarderSettings = Settings<typeof forwarderSettings>
