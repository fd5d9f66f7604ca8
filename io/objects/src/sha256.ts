import { createHash } from 'node:crypto'
import type { Brand } from '@sealpost/kernel'

/** 64 lower-case hexadecimal digits. */
export type Sha256 = Brand<string, 'Sha256'>

export function parseSha256(text: string): Sha256 | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser of the brand
  return /^[0-9a-f]{64}$/.test(text) ? (text as Sha256) : null
}

export function sha256Of(bytes: Uint8Array): Sha256 {
  return startSha256().update(bytes).end()
}

export interface RunningSha256 {
  update(bytes: Uint8Array): RunningSha256
  end(): Sha256
}

export function startSha256(): RunningSha256 {
  const hash = createHash('sha256')
  const running: RunningSha256 = {
    update(bytes) {
      hash.update(bytes)
      return running
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by the hash function itself
    end: () => hash.digest('hex') as Sha256,
  }
  return running
}
