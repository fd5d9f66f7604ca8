import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
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

/** The same, with turns of the event loop in between: sixty megabytes take half a second. */
export async function sha256InSlices(bytes: Uint8Array): Promise<Sha256> {
  const hash = startSha256()
  await visitSlices(bytes, (slice) => hash.update(slice))
  return hash.end()
}

/** For `Content-MD5`. */
export async function md5InSlices(bytes: Uint8Array): Promise<string> {
  const hash = createHash('md5')
  await visitSlices(bytes, (slice) => hash.update(slice))
  return hash.digest('base64')
}

const SLICE_BYTES = 2 * 1_048_576

async function visitSlices(bytes: Uint8Array, visit: (slice: Uint8Array) => void): Promise<void> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await nextTurn()
    visit(bytes.subarray(at, at + SLICE_BYTES))
  }
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
