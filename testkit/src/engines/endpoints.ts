import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Secret } from '@sealpost/kernel'

/** Where the engines of one site are reached. */
export interface SiteEngines {
  readonly postgresUrl: string
  readonly natsUrl: string
  /** The setting `NATS_KEYS` of the site; without it, its NATS requires no login. */
  readonly natsKeys?: Secret<string>
  /** Where the NATS servers use TLS. */
  readonly natsCaFile?: string
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

/** What the engines of this checkout write; ignored by git, safe to delete after `down`. */
export const LOCAL_FOLDER = resolve(process.env['SEALPOST_LOCAL'] ?? join(import.meta.dirname, '../../../.local'))

/** Written by `npm run infra`. */
export const ENGINES_FILE = join(LOCAL_FOLDER, 'engines.json')

/**
 * The engines that development and live tests use: what `npm run infra` found or started, each value replaceable by an
 * environment variable named after its place, e.g. `SEALPOST_EU_POSTGRES_URL` or `SEALPOST_US_S3_BUCKET`.
 */
export function readEngines(environment: Environment = process.env, file: string = ENGINES_FILE): Engines {
  const written: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const optional: ReadOptional = (...path) => {
    const value = environment[variableName(path)] ?? member(written, path)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const required = (...path: readonly string[]): string => {
    const value = optional(...path)
    if (value !== undefined) return value
    throw new Error(`no engine is known for ${path.join('.')}: run npm run infra first, or set ${variableName(path)}`)
  }
  const text = { required, optional }
  return { directory: siteEngines('directory', text), eu: regionEngines('eu', text), us: regionEngines('us', text) }
}

/** `['eu', 's3', 'accessKeyId']` is `SEALPOST_EU_S3_ACCESS_KEY_ID`. */
export function variableName(path: readonly string[]): string {
  const words = path.map((part) => part.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase())
  return ['SEALPOST', ...words].join('_')
}

type ReadOptional = (...path: readonly string[]) => string | undefined

interface ReadText {
  readonly required: (...path: readonly string[]) => string
  readonly optional: ReadOptional
}

function siteEngines(site: string, { required, optional }: ReadText): SiteEngines {
  const natsKeys = optional(site, 'natsKeys')
  const natsCaFile = optional(site, 'natsCaFile')
  return {
    postgresUrl: required(site, 'postgresUrl'),
    natsUrl: required(site, 'natsUrl'),
    ...(natsKeys === undefined ? {} : { natsKeys: new Secret(natsKeys) }),
    ...(natsCaFile === undefined ? {} : { natsCaFile }),
    redisUrl: required(site, 'redisUrl'),
  }
}

function regionEngines(site: string, text: ReadText): RegionEngines {
  const s3 = {
    endpoint: text.required(site, 's3', 'endpoint'),
    region: text.required(site, 's3', 'region'),
    accessKeyId: text.required(site, 's3', 'accessKeyId'),
    secretAccessKey: new Secret(text.required(site, 's3', 'secretAccessKey')),
    bucket: text.required(site, 's3', 'bucket'),
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
