import { webcrypto } from 'node:crypto'
import {
  createCryptoPlatform,
  generateKeyPair,
  importOpeningKey,
  importSealingKey,
  openWrapper,
  sealWrapper,
} from '@sealpost/crypto'
import type { Result } from '@sealpost/kernel'

const OAEP = { name: 'RSA-OAEP', hash: 'SHA-256' }

/** An implementation of sealing and opening, with imported keys. */
export interface Side {
  seal(text: string): Promise<string>
  open(wrapper: string): Promise<string>
}

export interface Sides {
  readonly ours: Side
  readonly bare: Side
}

/** Both implementations have the same key pair, so each can open what the other sealed. */
export async function createSides(): Promise<Sides> {
  const platform = createCryptoPlatform(globalThis)
  const { publicKey, privateKey } = await generateKeyPair(platform)
  const sealing = valueOf(await importSealingKey(platform, publicKey))
  const opening = valueOf(await importOpeningKey(platform, privateKey))
  const bareKeys = await importBareKeys(Buffer.from(publicKey, 'base64'), privateKey.reveal())
  return {
    ours: {
      seal: async (text) => valueOf(await sealWrapper(platform, sealing, text)),
      open: async (wrapper) => valueOf(await openWrapper(platform, opening, wrapper)),
    },
    bare: {
      seal: (text) => bareSeal(bareKeys.sealing, text),
      open: (wrapper) => bareOpen(bareKeys.opening, wrapper),
    },
  }
}

async function importBareKeys(spki: Uint8Array<ArrayBuffer>, pkcs8: Uint8Array<ArrayBuffer>) {
  return {
    sealing: await webcrypto.subtle.importKey('spki', spki, OAEP, false, ['encrypt']),
    opening: await importBareOpeningKey(pkcs8),
  }
}

export function importBareOpeningKey(pkcs8: Uint8Array<ArrayBuffer>): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', pkcs8, OAEP, false, ['decrypt'])
}

function valueOf<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal}`)
  return result.value
}

/** The same primitives as the product, written directly with WebCrypto, Buffer and JSON, without any check. */
async function bareSeal(key: webcrypto.CryptoKey, text: string): Promise<string> {
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
