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
  const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' }
  return {
    sealing: await webcrypto.subtle.importKey('spki', spki, oaep, false, ['encrypt']),
    opening: await webcrypto.subtle.importKey('pkcs8', pkcs8, oaep, false, ['decrypt']),
  }
}

function valueOf<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal}`)
  return result.value
}
