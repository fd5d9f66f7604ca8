import { Secret } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { type Credentials, readBasic } from '../../../platform/basic-credentials.ts'

export interface FormCredentials {
  readonly client_id?: string
  readonly client_secret?: string
}

/** In the form or by HTTP Basic, as at the token endpoint; never both. */
export function readCredentials(
  authorization: string | null,
  { client_id: id, client_secret: secret = '' }: FormCredentials,
): Credentials {
  if (authorization === null) return { id, secret: new Secret(secret) }
  const basic = readBasic(authorization)
  if (basic === null || secret !== '' || (id !== undefined && id !== basic.id)) throw refuse('oauth.invalid_request')
  return basic
}
