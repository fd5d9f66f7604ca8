import type { AuthorizationRequest } from '@sealpost/sdk'

const NAMES = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'mode',
  'response_mode',
  'app_claims',
  'claims',
] as const satisfies readonly (keyof AuthorizationRequest)[]

/**
 * The request in the address of the consent page; null when it names no client, or something twice, so that two readers
 * could understand it differently. Parameters that are not known are left out, as OAuth wants it.
 */
export function readRequest(query: URLSearchParams): AuthorizationRequest | null {
  const given = NAMES.map((name) => [name, query.getAll(name)] as const).filter(([, values]) => values.length > 0)
  if (given.some(([, values]) => values.length > 1)) return null
  const request: AuthorizationRequest = Object.fromEntries(given.map(([name, [value]]) => [name, value]))
  return (request.client_id ?? '') === '' ? null : request
}
