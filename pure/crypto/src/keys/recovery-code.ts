import { accept, decline, type Result, Secret } from '@sealpost/kernel'
import { decodeBase32, encodeBase32 } from '../codecs/base32.ts'
import { isEqualInConstantTime } from '../codecs/constant-time.ts'
import { joinBytes } from '../codecs/join-bytes.ts'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'

const MASTER_BYTES = 32
const CHECK_BYTES = 3
const GROUP = 4

/**
 * What a password stands for, to be written down: a person who has forgotten the password logs in with it and chooses another
 * one. Three bytes of a hash at the end find a slip of the pen. Fourteen groups of four letters.
 */
export async function writeRecoveryCode(platform: CryptoPlatform, master: Secret<Bytes>): Promise<Secret<string>> {
  const bytes = master.reveal()
  const letters = encodeBase32(joinBytes([bytes, await checkOf(platform, bytes)]))
  return new Secret(letters.match(new RegExp(`.{${GROUP}}`, 'g'))?.join('-') ?? '')
}

export async function readRecoveryCode(
  platform: CryptoPlatform,
  code: Secret<string>,
): Promise<Result<Secret<Bytes>, 'not_a_recovery_code'>> {
  const bytes = decodeBase32(code.reveal())
  if (bytes?.length !== MASTER_BYTES + CHECK_BYTES) return decline('not_a_recovery_code')
  const master = bytes.slice(0, MASTER_BYTES)
  const isWhole = isEqualInConstantTime(bytes.slice(MASTER_BYTES), await checkOf(platform, master))
  return isWhole ? accept(new Secret(master)) : decline('not_a_recovery_code')
}

async function checkOf({ crypto }: CryptoPlatform, master: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', master)).slice(0, CHECK_BYTES)
}
