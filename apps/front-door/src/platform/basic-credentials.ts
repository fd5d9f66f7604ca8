import { Secret } from '@sealpost/kernel'

/** As a client sends them. */
export interface Credentials {
  readonly id: string | undefined
  readonly secret: Secret<string>
}

/** RFC 6749 section 2.3.1: both halves are encoded as in a form. */
export function readBasic(header: string): Credentials | null {
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
