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
import { bareOpen, bareSeal } from './bare.ts'

/** One way of sealing and opening, with its keys already imported. */
export interface Side {
  seal(text: string): Promise<string>
  open(wrapper: string): Promise<string>
}

export interface Sides {
  readonly ours: Side
  readonly bare: Side
}

/** Both sides hold the same key pair, so each can be given what the other sealed. */
export async function createSides(): Promise<Sides> {
  const platform = createCryptoPlatform(globalThis)
  const { publicKey, privateKey } = await generateKeyPair(platform)
  const sealing = taken(await importSealingKey(platform, publicKey))
  const opening = taken(await importOpeningKey(platform, privateKey))
  const bareKeys = await importBareKeys(Buffer.from(publicKey, 'base64'), privateKey.reveal())
  return {
    ours: {
      seal: async (text) => taken(await sealWrapper(platform, sealing, text)),
      open: async (wrapper) => taken(await openWrapper(platform, opening, wrapper)),
    },
    bare: {
      seal: (text) => bareSeal(bareKeys.sealing, text),
      open: (wrapper) => bareOpen(bareKeys.opening, wrapper),
    },
  }
}

async function importBareKeys(spki: Uint8Array<ArrayBuffer>, pkcs8: Uint8Array<ArrayBuffer>) {
  const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' }
  return {
    sealing: await webcrypto.subtle.importKey('spki', spki, oaep, false, ['encrypt']),
    opening: await webcrypto.subtle.importKey('pkcs8', pkcs8, oaep, false, ['decrypt']),
  }
}

function taken<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal}`)
  return result.value
}
