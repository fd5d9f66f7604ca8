import type { ServerOptions } from './server-options.ts'

/** Headers whose names contain the vendor, built once. */
export interface HouseHeaders {
  readonly versionHeader: string
  readonly apiVersion: string
  readonly origins: ReadonlySet<string> | 'all'
  readonly exposed: string
}

export function houseHeaders(options: ServerOptions): HouseHeaders {
  const vendor = options.headerVendor
  const exposed = [
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
    'X-Request-Id',
    'Idempotent-Replayed',
    'ETag',
    'Link',
  ]
  return {
    versionHeader: `x-${vendor.toLowerCase()}-api-version`,
    apiVersion: options.apiVersion,
    origins: options.isOpenToAllOrigins === true ? 'all' : new Set(options.appOrigins),
    exposed: [`X-${vendor}-Content-Sha256`, `X-${vendor}-Warning`, ...exposed].join(', '),
  }
}
