import { createCryptoPlatform, importSealingKey, isPublicKey, isWrapper, sealWrapper } from '@sealpost/crypto'

const platform = createCryptoPlatform(globalThis)

/** Seals a secret that the server made to the company's recovery key, so that the owner can recover it. */
export async function sealToRecoveryKey(publicKey: string, text: string): Promise<string> {
  const key = await importSealingKey(platform, publicKey)
  if (!key.ok) throw new Error('the stored recovery key is no RSA-2048 key')
  const sealed = await sealWrapper(platform, key.value, text)
  if (!sealed.ok) throw new Error(`a secret could not be sealed: ${sealed.refusal}`)
  return sealed.value
}

export function isSealed(text: string): boolean {
  return isWrapper(platform, text)
}

export function isUsablePublicKey(text: string): boolean {
  return isPublicKey(platform, text)
}
