import { readFileSync } from 'node:fs'
import { customSetting, integerSetting, Secret, type Settings, SettingsError, switchSetting } from '@sealpost/kernel'
import type { RegionAddress } from '@sealpost/protocol'
import { DEFAULT_ASK_TIMEOUT_MS } from './asks/ask.ts'
import { publicKeyOf } from './credentials/keys.ts'
import type { NatsServer, Parties } from './parties.ts'
import { LONGEST_HISTORY_HOURS } from './partitions.ts'

export const busSettings = {
  NATS_KEYS: customSetting(
    {
      about:
        'The keys (nkey seeds) with which this region or the front door logs in to each region’s NATS, as `bus:credentials` writes them.',
      fallback: '',
    },
    '`region:seed` for every region, separated by commas',
    parseKeys,
    true,
  ),
  NATS_CA_FILE: customSetting(
    {
      about:
        'A PEM file with the certificates that sign those of the NATS servers; empty means those that Node trusts. For `tls://` addresses in REGIONS.',
      fallback: '',
    },
    'the path of a readable PEM file',
    readCertificates,
  ),
  ALLOW_ANONYMOUS_NATS: switchSetting({
    about:
      'Starts without NATS_KEYS, so that everyone who reaches a NATS server can read and send all messages; for development only.',
    fallback: '0',
  }),
  ASK_TIMEOUT_MS: integerSetting({
    about:
      'Milliseconds that a call waits for another region before it is answered 503 region.unreachable. Raise it when regions are far apart.',
    fallback: String(DEFAULT_ASK_TIMEOUT_MS),
    min: 100,
    max: 60_000,
  }),
  BUS_HISTORY_HOURS: integerSetting({
    about:
      'How long a confirmed tell is kept, so that a peer restored from a backup can be sent it again. Backups older than this lose tells.',
    fallback: '24',
    min: 1,
    max: LONGEST_HISTORY_HOURS,
  }),
}

type LoginSettings = Pick<Settings<typeof busSettings>, 'NATS_KEYS' | 'NATS_CA_FILE' | 'ALLOW_ANONYMOUS_NATS'>

/**
 * The parties of an installation: its regions, each with its NATS servers and our login there, and the directory. Throws
 * when a login is missing, unless the settings allow that.
 */
export function partiesOf(regions: readonly RegionAddress[], settings: LoginSettings): Parties {
  const problems = regions.flatMap((region) => problemsOf(region, settings))
  if (problems.length > 0) throw new SettingsError(problems)
  return Object.fromEntries([
    ['directory', null],
    ...regions.map((region) => [region.code, natsOf(region, settings)] as const),
  ])
}

function natsOf({ code, natsUrls }: RegionAddress, { NATS_KEYS, NATS_CA_FILE }: LoginSettings): NatsServer {
  const key = NATS_KEYS.get(code)
  return {
    servers: natsUrls,
    ...(key === undefined ? {} : { key }),
    ...(NATS_CA_FILE === null ? {} : { ca: NATS_CA_FILE }),
  }
}

function problemsOf({ code, natsUrls }: RegionAddress, settings: LoginSettings): readonly string[] {
  const { NATS_KEYS, NATS_CA_FILE, ALLOW_ANONYMOUS_NATS } = settings
  const problems: string[] = []
  const tlsCount = natsUrls.filter((url) => url.startsWith('tls://')).length
  if (!NATS_KEYS.has(code) && !ALLOW_ANONYMOUS_NATS)
    problems.push(
      `NATS_KEYS has no key for the NATS of ${code}: make one with the command bus:credentials (docs/runbooks/bus-credentials.md), ` +
        'or set ALLOW_ANONYMOUS_NATS=1 on a machine for development',
    )
  if (tlsCount > 0 && tlsCount < natsUrls.length)
    problems.push(`REGIONS: the NATS addresses of ${code} must all begin with tls:// or all with nats://`)
  if (NATS_CA_FILE !== null && tlsCount === 0)
    problems.push(`NATS_CA_FILE is set, but the NATS address of ${code} begins with nats://: write tls:// in REGIONS`)
  return problems
}

const NAMED_SEED = /^([a-z][a-z0-9]{1,15}):(\S+)$/

function parseKeys(text: string): ReadonlyMap<string, Secret<string>> {
  const keys = new Map<string, Secret<string>>()
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, region = '', seed = ''] = NAMED_SEED.exec(part.trim()) ?? []
    if (region === '') throw new Error('a part does not read `region:seed`')
    if (keys.has(region)) throw new Error(`two keys are for ${region}`)
    if (!isUserSeed(seed)) throw new Error(`the key for ${region} is not the seed of a NATS user, which begins with SU`)
    keys.set(region, new Secret(seed))
  }
  return keys
}

function isUserSeed(seed: string): boolean {
  try {
    return publicKeyOf(new Secret(seed)).startsWith('U')
  } catch {
    return false
  }
}

function readCertificates(path: string): string | null {
  if (path === '') return null
  const text = readFileSync(path, 'utf8')
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it has no certificate')
  return text
}
