import {
  createCryptoPlatform,
  generateOneTimeKey,
  importOneTimeKey,
  importOpeningKey,
  openWrapper,
  sealOnce,
} from '@sealpost/crypto'
import { membersOf } from './call.ts'
import type { TestUser } from './people.ts'

const platform = createCryptoPlatform(globalThis)

/** The members with which a signer hands the PDF over to be sealed. */
export async function underOneTimeKey(pdf: Uint8Array): Promise<{ readonly otk: string; readonly pdf: string }> {
  const otk = generateOneTimeKey(platform)
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) throw new Error('a one-time key cannot be used')
  return { otk: otk.reveal(), pdf: await sealOnce(platform, key.value, Uint8Array.from(pdf)) }
}

/** The file in a copy, as its reader sees it. */
export async function openFileCopy({ keys }: Pick<TestUser, 'keys'>, wrapper: string): Promise<Buffer> {
  const key = await importOpeningKey(platform, keys.privateKey)
  const opened = key.ok ? await openWrapper(platform, key.value, wrapper) : key
  if (!opened.ok) throw new Error(`the file could not be opened: ${opened.refusal}`)
  return Buffer.from(String(membersOf(opened.value)['file']).split(';base64,')[1] ?? '', 'base64')
}
