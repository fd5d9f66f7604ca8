import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Secret } from '@sealpost/kernel'

/** Where the engines of one site are reached. */
export interface SiteEngines {
  readonly postgresUrl: string
  readonly natsUrl: string
  readonly redisUrl: string
}

export interface S3Endpoint {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Secret<string>
  readonly bucket: string
}

export interface RegionEngines extends SiteEngines {
  readonly s3: S3Endpoint
}

export interface Engines {
  readonly directory: SiteEngines
  readonly eu: RegionEngines
  readonly us: RegionEngines
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Written by `npm run infra`; ignored by git. */
export const ENGINES_FILE = fileURLToPath(new URL('../../../.local/engines.json', import.meta.url))

/**
 * The engines that development and live tests use: what `npm run infra` found or started, each value replaceable by an
 * environment variable named after its place, e.g. `SEALPOST_EU_POSTGRES_URL` or `SEALPOST_US_S3_BUCKET`.
 */
export function readEngines(environment: Environment = process.env, file: string = ENGINES_FILE): Engines {
  const written: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const text = (...path: readonly string[]): string => {
    const variable = variableName(path)
    const value = environment[variable] ?? member(written, path)
    if (typeof value === 'string' && value !== '') return value
    throw new Error(`no engine is known for ${path.join('.')}: run npm run infra first, or set ${variable}`)
  }
  return { directory: siteEngines('directory', text), eu: regionEngines('eu', text), us: regionEngines('us', text) }
}

/** `['eu', 's3', 'accessKeyId']` is `SEALPOST_EU_S3_ACCESS_KEY_ID`. */
export function variableName(path: readonly string[]): string {
  const words = path.map((part) => part.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase())
  return ['SEALPOST', ...words].join('_')
}

type ReadText = (...path: readonly string[]) => string

function siteEngines(site: string, text: ReadText): SiteEngines {
  return {
    postgresUrl: text(site, 'postgresUrl'),
    natsUrl: text(site, 'natsUrl'),
    redisUrl: text(site, 'redisUrl'),
  }
}

function regionEngines(site: string, text: ReadText): RegionEngines {
  const s3 = {
    endpoint: text(site, 's3', 'endpoint'),
    region: text(site, 's3', 'region'),
    accessKeyId: text(site, 's3', 'accessKeyId'),
    secretAccessKey: new Secret(text(site, 's3', 'secretAccessKey')),
    bucket: text(site, 's3', 'bucket'),
  }
  return { ...siteEngines(site, text), s3 }
}

function member(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Object.entries(found).find(([key]) => key === name)?.[1]
  }
  return found
}
