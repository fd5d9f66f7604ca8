import type { Operation } from '../operation.ts'
import type { JsonObject } from './json.ts'

export const DEFAULT_HEADER_VENDOR = 'Platform'

/** Every response header that the documents mention, as components. */
export function headerComponents(vendor: string): JsonObject {
  return {
    'X-Request-Id': header('Identifies this call in logs and support requests; a value of your own is echoed.'),
    [versionHeader(vendor)]: header('The version of the API; additive changes do not raise it.', { const: '1' }),
    RateLimit: header('The remaining requests of the bucket: `"data";r=597;t=31`.'),
    'RateLimit-Policy': header('The size of the bucket: `"data";q=600;w=60`.'),
    'Retry-After': header('Seconds to wait before the same call may be repeated.', { pattern: '^[0-9]+$' }),
    'Idempotent-Replayed': header('`true` when this is the stored answer of an earlier call.', { const: 'true' }),
    'WWW-Authenticate': header('How to authenticate.'),
    Link: header('The entry of this error in the page about errors: `<…/docs/errors#key>; rel="help"`.'),
    Allow: header('The methods that this address supports.'),
    Location: header('The address of the next step.'),
    ETag: header('Identifies this state of the answer; send it as `If-None-Match`.'),
  }
}

export function parameterComponents(): JsonObject {
  return {
    RequestId: {
      name: 'X-Request-Id',
      in: 'header',
      description: 'Your own identifier for this call.',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Makes repeating safe for 24 hours: the same key with the same body returns the answer of the first call.',
      schema: { type: 'string', pattern: '^[\\x21-\\x7E]{1,255}$' },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: 'The ETag of the answer that you have; while it is current, the answer is 304 without a body.',
      schema: { type: 'string' },
    },
  }
}

export function successHeaders(operation: Operation, vendor: string): JsonObject {
  const names = ['X-Request-Id', versionHeader(vendor)]
  if (operation.rate !== null) names.push('RateLimit', 'RateLimit-Policy')
  if (operation.creates === true || operation.drains === true) names.push('Idempotent-Replayed')
  if (operation.success.status === 303) names.push('Location')
  if (operation.success.revalidates === true) names.push('ETag')
  return references(names)
}

export function errorHeaders(status: number, waits: boolean, vendor: string): JsonObject {
  const names = ['X-Request-Id', versionHeader(vendor), 'Link']
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 405) names.push('Allow')
  if (status === 429) names.push('RateLimit', 'RateLimit-Policy')
  if (waits) names.push('Retry-After')
  return references(names)
}

function versionHeader(vendor: string): string {
  return `X-${vendor}-Api-Version`
}

function header(description: string, rule: JsonObject = {}): JsonObject {
  return { description, schema: { type: 'string', ...rule } }
}

function references(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
