import { generateKeyPairSync } from 'node:crypto'
import { makeVapidKey } from '@sealpost/push'
import { exportJWK, generateKeyPair } from 'jose'
import type { Engines, RegionEngines, SiteEngines } from '../engines/index.ts'
import { APP_ORIGIN, TEST_KDF } from '../people/app-origin.ts'
import { testSeal } from './test-seal.ts'

/** The addresses under which one installation is reached; `natsUrl` and databases come from the engines. */
export interface Addresses {
  readonly frontDoor: AppAddress
  readonly eu: AppAddress
  readonly us: AppAddress
  /** Absent: the installation has no forwarder. */
  readonly forwarder?: AppAddress
}

export interface AppAddress {
  readonly port: number
  readonly internalPort: number
}

export interface InstallationEnvironment {
  readonly frontDoor: Readonly<Record<string, string>>
  readonly eu: Readonly<Record<string, string>>
  readonly us: Readonly<Record<string, string>>
}

/** No test reaches a forwarder unless it starts one and names its address. */
const FORWARDER_URL = 'https://forwarder.sealpost.example'
const DEVELOPMENT_PEPPER = 'dev1:a-pepper-for-development-and-tests-only'
const DEVELOPMENT_DATA_KEY = 'dev1:a-data-key-for-development-and-tests-only'
/** A busy machine is no outage: three programs and the tests may share two cores. */
export const PATIENT = {
  ASK_TIMEOUT_MS: '15000',
  REDIS_TIMEOUT_MS: '15000',
  DATABASE_WAIT_MS: '40000',
  S3_WAIT_MS: '40000',
  HTTP_BURST_SECONDS: '60',
}
/** No balancer stands in front that would need time to look elsewhere, and no test waits long for a download it has left. */
const NO_DRAIN = { DRAIN_SECONDS: '0', SHUTDOWN_GRACE_SECONDS: '10' }

export function baseUrl({ port }: AppAddress): string {
  return `http://127.0.0.1:${port}`
}

/** The settings of a front door and two regions that belong together. */
export function installationEnvironment(
  engines: Engines,
  addresses: Addresses,
  signingKeys: string,
  smtpUrl: string,
  extra: Readonly<Record<string, string>> = {},
): InstallationEnvironment {
  const REGIONS = [
    `eu|Europe|${baseUrl(addresses.eu)}|${engines.eu.natsUrl}`,
    `us|United States|${baseUrl(addresses.us)}|${engines.us.natsUrl}`,
  ].join(',')
  // The API reference calls the regions from the page of the front door.
  const APP_ORIGINS = [APP_ORIGIN, baseUrl(addresses.frontDoor)].join(',')
  const frontDoor = {
    ...NO_DRAIN,
    APP_ORIGINS,
    KDF_MEMORY_KIB: String(TEST_KDF.memoryKib),
    KDF_PASSES: String(TEST_KDF.passes),
    FORWARDER_URL: addresses.forwarder === undefined ? FORWARDER_URL : baseUrl(addresses.forwarder),
    AUTH_WEB_URL: `${APP_ORIGIN}/consent`,
    ...extra,
    ...listening(addresses.frontDoor),
    ...natsLogin(engines.directory),
    REGIONS,
    PUBLIC_URL: baseUrl(addresses.frontDoor),
    DIRECTORY_DATABASE_URL: engines.directory.postgresUrl,
    REDIS_URL: engines.directory.redisUrl,
    SIGNING_KEYS: signingKeys,
    SECRET_PEPPER: DEVELOPMENT_PEPPER,
    DIRECTORY_KEY: 'a-directory-key-for-development-and-tests',
  }
  const stores = [engines.eu, engines.us].map(({ s3 }) => new URL(s3.endpoint).host)
  const shared = {
    ...NO_DRAIN,
    APP_ORIGINS,
    SECRET_PEPPER: DEVELOPMENT_PEPPER,
    DATA_KEY: DEVELOPMENT_DATA_KEY,
    WEBAUTHN_RP_ID: new URL(APP_ORIGIN).hostname,
    VAPID_KEY: makeVapidKey(),
    VAPID_SUBJECT: 'mailto:operator@sealpost.example',
    SEAL_CERT: testSeal().certificate,
    SEAL_KEY: testSeal().key,
    ...extra,
    REGIONS,
    FRONT_DOOR_URL: baseUrl(addresses.frontDoor),
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Sealpost <no-reply@sealpost.example>',
    EGRESS_INTERNAL_HOSTS: [...new Set(stores)].join(','),
  }
  return {
    frontDoor,
    eu: { ...shared, ...listening(addresses.eu), ...regionEnvironment('eu', engines.eu), ...ownBucket(extra) },
    us: { ...shared, ...listening(addresses.us), ...regionEnvironment('us', engines.us), ...ownBucket(extra) },
  }
}

/** The settings of a forwarder of the installation, with a key for built-in plugins of its own. */
export function forwarderEnvironment(
  { frontDoor }: Pick<InstallationEnvironment, 'frontDoor'>,
  address: AppAddress,
  login: Pick<SiteEngines, 'natsKeys' | 'natsCaFile'>,
  extra: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const { REGIONS = '', REDIS_URL = '', PUBLIC_URL = '' } = frontDoor
  const builtinKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  return {
    ...NO_DRAIN,
    BUILTIN_KEYS: builtinKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    ...extra,
    ...listening(address),
    ...natsLogin(login),
    REGIONS,
    REDIS_URL,
    PUBLIC_URL: baseUrl(address),
    FRONT_DOOR_URL: PUBLIC_URL,
  }
}

/** Keys that sign tokens, made anew for each installation. */
export async function createSigningKeys(name = 'dev'): Promise<string> {
  const keys = await Promise.all(
    ['ES256', 'RS256'].map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      return { ...(await exportJWK(privateKey)), kid: `${name}-${alg.toLowerCase()}`, alg, use: 'sig' }
    }),
  )
  return JSON.stringify({ keys })
}

export function listening({ port, internalPort }: AppAddress): Record<string, string> {
  return { LISTEN_PORT: String(port), INTERNAL_PORT: String(internalPort) }
}

/** A test may have a bucket of its own, made by `makeBucket`, instead of the one that installations share. */
function ownBucket({ S3_BUCKET }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return S3_BUCKET === undefined ? {} : { S3_BUCKET }
}

function regionEnvironment(code: string, engines: RegionEngines): Record<string, string> {
  return {
    REGION: code,
    ...natsLogin(engines),
    DATABASE_URL: engines.postgresUrl,
    REDIS_URL: engines.redisUrl,
    S3_ENDPOINT: engines.s3.endpoint,
    S3_REGION: engines.s3.region,
    S3_BUCKET: engines.s3.bucket,
    S3_ACCESS_KEY_ID: engines.s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: engines.s3.secretAccessKey.reveal(),
  }
}

/**
 * Settings under which no rate limit is reached: every call of a test comes from one address. The limiter still runs, only
 * its buckets are large.
 */
export const UNLIMITED_RATES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'RATE_TOKEN',
      'RATE_CHANGES',
      'RATE_CONNECTIONS',
      'RATE_MISSES_HOUR',
      'RATE_DATA',
      'RATE_MESSAGES',
      'RATE_MESSAGES_PERSON',
      'RATE_TWOFA',
      'RATE_TWOFA_PERSON',
      'RATE_TWOFA_POLL',
      'RATE_LOGIN_IP',
      'RATE_LOGIN_ACCOUNT',
      'INFLIGHT_CALLER',
    ].map((setting) => [setting, '60000000']),
  ),
  HTTP_CONNECTIONS_ADDRESS: '1000000',
  // The limit of an address is 50 times this one.
  RATE_RESULT: '1200000',
}
function natsLogin({ natsKeys, natsCaFile }: Pick<SiteEngines, 'natsKeys' | 'natsCaFile'>): Record<string, string> {
  return {
    ...(natsKeys === undefined ? { ALLOW_ANONYMOUS_NATS: '1' } : { NATS_KEYS: natsKeys.reveal() }),
    ...(natsCaFile === undefined ? {} : { NATS_CA_FILE: natsCaFile }),
  }
}
