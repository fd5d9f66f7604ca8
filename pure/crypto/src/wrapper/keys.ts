import { accept, type Brand, decline, type Result, type Secret } from '@sealpost/kernel'
import { isPrivateKey } from '../keys/rsa-private-key.ts'
import { readPublicKey } from '../keys/rsa-public-key.ts'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes, WebCryptoKey } from '../web-crypto.ts'

/** A public key, imported once, that values are sealed to. */
export type SealingKey = Brand<WebCryptoKey, 'SealingKey'>
/** A private key, imported once, that opens values sealed to it. It cannot be exported again. */
export type OpeningKey = Brand<{ take(): WebCryptoKey }, 'OpeningKey'>

/** Fixed: a key made here decrypts OAEP with SHA-256 and nothing else. */
const OAEP = { name: 'RSA-OAEP', hash: 'SHA-256' } as const

export async function importSealingKey(
  platform: CryptoPlatform,
  publicKey: string,
): Promise<Result<SealingKey, 'not_a_public_key'>> {
  const spki = readPublicKey(platform, publicKey)
  if (spki === null) return decline('not_a_public_key')
  try {
    const key = await platform.crypto.subtle.importKey('spki', spki, OAEP, false, ['encrypt'])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this function is what makes a sealing key
    return accept(key as SealingKey)
  } catch {
    return decline('not_a_public_key')
  }
}

/**
 * Node locks a key while RSA works with it, so values opened at the same time would wait for each other on one core.
 * Copies that are used in turn keep the four threads of its pool busy; in browsers they make no difference.
 */
const COPIES = 4

export async function importOpeningKey(
  platform: CryptoPlatform,
  privateKey: Secret<Bytes>,
): Promise<Result<OpeningKey, 'not_a_private_key'>> {
  const pkcs8 = privateKey.reveal()
  if (!isPrivateKey(pkcs8)) return decline('not_a_private_key')
  const importOne = () => platform.crypto.subtle.importKey('pkcs8', pkcs8, OAEP, false, ['decrypt'])
  try {
    return accept(takenInTurn(await Promise.all(Array.from({ length: COPIES }, importOne))))
  } catch {
    return decline('not_a_private_key')
  }
}

function takenInTurn(keys: readonly WebCryptoKey[]): OpeningKey {
  let turn = 0
  const take = (): WebCryptoKey | undefined => keys[(turn += 1) % keys.length]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `importOpeningKey` makes one, and COPIES is not zero
  return { take } as OpeningKey
}

/** Types exclude a SHA-1 key; this check covers untyped callers, and costs nothing compared with RSA. */
export function isPinned({ algorithm }: WebCryptoKey): boolean {
  if (algorithm.name !== 'RSA-OAEP' || !('hash' in algorithm)) return false
  const { hash } = algorithm
  return typeof hash === 'object' && hash !== null && 'name' in hash && hash.name === 'SHA-256'
}
