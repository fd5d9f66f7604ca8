import { type Bytes, derivePublicKey, importOpeningKey, type OpeningKey } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { PEM } from './create-private-key.ts'
import { DefinitionError } from './definition-error.ts'
import { hostPlatform } from './host.ts'

/** A private key that opens questions, and its public half for the manifest. */
export interface PluginKey {
  readonly opening: OpeningKey
  readonly publicKey: string
  /** PKCS#8: vouches for the next key. */
  readonly pkcs8: Secret<Bytes>
}

export async function readPrivateKey(pem: string): Promise<PluginKey> {
  const platform = hostPlatform()
  const privateKey = typeof pem === 'string' ? decodePem(pem) : null
  if (privateKey === null) throw new DefinitionError([notAKey(pem)])
  const opening = await importOpeningKey(platform, privateKey)
  const publicKey = derivePublicKey(platform, privateKey)
  if (!opening.ok || !publicKey.ok) throw new DefinitionError([notAKey(pem)])
  return { opening: opening.value, publicKey: publicKey.value, pkcs8: privateKey }
}

function decodePem(pem: string): Secret<Bytes> | null {
  const start = pem.indexOf(PEM.begin)
  const end = pem.indexOf(PEM.end, start)
  if (start < 0 || end < 0) return null
  const bytes = hostPlatform().base64.decode(pem.slice(start + PEM.begin.length, end).replaceAll(/\s/g, ''))
  return bytes === null ? null : new Secret(bytes)
}

/** Names the form of the text, never its content. */
function notAKey(pem: unknown): string {
  const wanted = 'key must be an RSA private key of 2048 bits in a PEM (BEGIN PRIVATE KEY)'
  const text = typeof pem === 'string' ? pem : ''
  if (text === '') return `${wanted}; it is empty. createPrivateKey() makes one`
  if (text.includes('BEGIN RSA PRIVATE KEY')) return `${wanted}; convert this one with openssl pkcs8 -topk8 -nocrypt`
  if (text.includes('BEGIN ENCRYPTED')) return `${wanted}; this one has a passphrase: openssl pkcs8 -in FILE removes it`
  return `${wanted}; createPrivateKey() makes one`
}
