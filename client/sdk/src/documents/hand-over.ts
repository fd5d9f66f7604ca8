import { generateOneTimeKey, importOneTimeKey, sealOnce } from '@sealpost/crypto'
import { hostPlatform } from '../keys/host.ts'

/** The PDF of a contract under a new key, for the one call that seals it. */
export async function handOver(bytes: Uint8Array): Promise<{ readonly otk: string; readonly pdf: string }> {
  const platform = hostPlatform()
  const otk = generateOneTimeKey(platform)
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) throw new Error('a new one-time key cannot be imported')
  return { otk: otk.reveal(), pdf: await sealOnce(platform, key.value, Uint8Array.from(bytes)) }
}
