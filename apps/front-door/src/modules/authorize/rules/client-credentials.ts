import { Secret } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'

export interface Credentials {
  readonly id: string | undefined
  readonly secret: Secret<string>
}

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

/** RFC 6749 section 2.3.1: both halves are encoded as in a form. */
function readBasic(header: string): Credentials | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined) return null
  try {
    return { id: decodeForm(id), secret: new Secret(decodeForm(secret)) }
  } catch {
    return null
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
