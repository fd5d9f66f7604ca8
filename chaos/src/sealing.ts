import {
  createCryptoPlatform,
  importSealingKey,
  type OpeningKey,
  openWrapper,
  type SealingKey,
  sealWrapper,
} from '@sealpost/crypto'

const platform = createCryptoPlatform(globalThis)

export async function sealTo(key: SealingKey, text: string): Promise<string> {
  const sealed = await sealWrapper(platform, key, text)
  if (!sealed.ok) throw new Error(`not sealed: ${sealed.refusal}`)
  return sealed.value
}

export async function openSealed(key: OpeningKey, wrapper: string): Promise<string> {
  const text = await openWrapper(platform, key, wrapper)
  if (!text.ok) throw new Error(`the service cannot open a value: ${text.refusal}`)
  return text.value
}

export async function importKey(publicKey: string): Promise<SealingKey> {
  const key = await importSealingKey(platform, publicKey)
  if (!key.ok) throw new Error(`invalid public key: ${publicKey}`)
  return key.value
}
