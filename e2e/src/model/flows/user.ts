import { createCryptoPlatform, importSealingKey, openWrapper, type OpeningKey, sealWrapper } from '@sealpost/crypto'

const platform = createCryptoPlatform(globalThis)

/** A reader of answers: the company with its service key, a customer with its own. */
export interface ModelUser {
  readonly userId: string
  readonly publicKey: string
  seal(text: string): Promise<string>
  /** Null when the key does not open it. */
  open(wrapper: string): Promise<string | null>
}

export async function modelUser(userId: string, publicKey: string, opening: OpeningKey): Promise<ModelUser> {
  const sealing = await importSealingKey(platform, publicKey)
  if (!sealing.ok) throw new Error(`the key of ${userId} cannot be sealed to`)
  return {
    userId,
    publicKey,
    async seal(text) {
      const sealed = await sealWrapper(platform, sealing.value, text)
      if (!sealed.ok) throw new Error(`not sealed: ${sealed.refusal}`)
      return sealed.value
    },
    async open(wrapper) {
      const opened = await openWrapper(platform, opening, wrapper)
      return opened.ok ? opened.value : null
    },
  }
}
