import { isVouchedKey, signKeyRollover } from '@sealpost/crypto'
import { PLUGIN_LIMITS } from '@sealpost/kernel'
import { DefinitionError } from './definition-error.ts'
import { hostPlatform } from './host.ts'
import type { KeyRollover } from './key-rollover.ts'
import type { PluginKey } from './private-key.ts'

/** The latest ones: a client whose key is older asks its person. */
export async function nextRollovers(
  earlier: readonly KeyRollover[],
  previous: PluginKey,
  nextPublicKey: string,
): Promise<readonly KeyRollover[]> {
  if (previous.publicKey === nextPublicKey) return earlier
  const signed = await signKeyRollover(hostPlatform(), previous.pkcs8, nextPublicKey)
  if (!signed.ok) throw new DefinitionError(['the key cannot vouch for the next one'])
  return [...earlier, signed.value].slice(-PLUGIN_LIMITS.keyRollovers)
}

/** Throws a `DefinitionError` for a list that does not lead to the key. */
export async function checkRollovers(
  rollovers: readonly KeyRollover[],
  publicKey: string,
): Promise<readonly KeyRollover[]> {
  const [first, ...rest] = rollovers
  if (first === undefined) return []
  const isShort = rollovers.length <= PLUGIN_LIMITS.keyRollovers
  const isChain = await isVouchedKey(hostPlatform(), first.public_key, publicKey, rest)
  if (isShort && (rest.length === 0 ? first.public_key === publicKey : isChain)) return rollovers
  const most = `at most ${PLUGIN_LIMITS.keyRollovers} entries, oldest first, each signed by the key of the one before it`
  throw new DefinitionError([`keyRollovers must lead to the key: ${most}`])
}
