import { webcrypto } from 'node:crypto'

/** The same primitives as the product, written directly with WebCrypto, Buffer and JSON, without any check. */
export async function bareSeal(key: webcrypto.CryptoKey, text: string): Promise<string> {
  const dataKey = webcrypto.getRandomValues(new Uint8Array(32))
  const iv = webcrypto.getRandomValues(new Uint8Array(12))
  const cipher = await webcrypto.subtle.importKey('raw', dataKey, 'AES-GCM', false, ['encrypt'])
  const sealed = await webcrypto.subtle.encrypt({ name: 'AES-GCM', iv }, cipher, new TextEncoder().encode(text))
  const sealedKey = await webcrypto.subtle.encrypt('RSA-OAEP', key, dataKey)
  return JSON.stringify({
    _enc: 1,
    k: Buffer.from(sealedKey).toString('base64'),
    iv: Buffer.from(iv).toString('base64'),
    d: Buffer.from(sealed).toString('base64'),
  })
}

export async function bareOpen(key: webcrypto.CryptoKey, text: string): Promise<string> {
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- bare means that the shape is trusted
  const { k, iv, d }: Record<'k' | 'iv' | 'd', string> = JSON.parse(text)
  const dataKey = await webcrypto.subtle.decrypt('RSA-OAEP', key, Buffer.from(k, 'base64'))
  const cipher = await webcrypto.subtle.importKey('raw', dataKey, 'AES-GCM', false, ['decrypt'])
  const parameters = { name: 'AES-GCM', iv: Buffer.from(iv, 'base64') }
  return new TextDecoder().decode(await webcrypto.subtle.decrypt(parameters, cipher, Buffer.from(d, 'base64')))
}
