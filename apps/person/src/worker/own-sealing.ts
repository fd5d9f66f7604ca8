import { type AccountKey, PublicKey } from '@sealpost/sdk'

/** Seals to the own key what rests on this device, and opens it. */
export interface OwnSealing {
  seal(text: string): Promise<string>
  /** Throws a `SealingError`. */
  open(sealed: string): Promise<string>
}

export async function ownSealing(key: AccountKey): Promise<OwnSealing> {
  const own = await PublicKey.import(key.publicKey)
  return { seal: (text) => own.seal(text), open: (sealed) => key.open(sealed) }
}
