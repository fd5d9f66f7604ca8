import { generateKeyPair } from '@sealpost/crypto'
import { hostPlatform } from './host.ts'

export const PEM = { begin: '-----BEGIN PRIVATE KEY-----', end: '-----END PRIVATE KEY-----' } as const

/** A new private key as PEM. Keep it like a password; `key` of `openPlugin` takes it. */
export async function createPrivateKey(): Promise<string> {
  const platform = hostPlatform()
  const { privateKey } = await generateKeyPair(platform)
  const lines = platform.base64.encode(privateKey.reveal()).match(/.{1,64}/g) ?? []
  return [PEM.begin, ...lines, PEM.end, ''].join('\n')
}
