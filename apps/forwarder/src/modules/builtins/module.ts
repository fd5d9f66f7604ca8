import { derivePublicKey, importOpeningKey, signKeyRollover } from '@sealpost/crypto'
import { type KeyRollover, PLUGIN_LIMITS, type Secret, SettingsError } from '@sealpost/kernel'
import { cryptoPlatform } from '../../platform/crypto-platform.ts'
import type { ForwarderSettings } from '../../settings.ts'
import type { Builtin, BuiltinKey, Builtins } from './model.ts'
import { answerSealed } from './operations/answer-sealed.ts'
import { isoLists } from './rules/iso-lists.ts'

const BUILTINS: Readonly<Record<string, Builtin>> = { iso_lists: isoLists }

export async function openBuiltins({ BUILTIN_KEYS }: Pick<ForwarderSettings, 'BUILTIN_KEYS'>): Promise<Builtins> {
  const keys = await Promise.all(BUILTIN_KEYS.map(openKey))
  const [first] = keys
  if (first === undefined) throw unusable()
  const rollovers = await rolloversOf(BUILTIN_KEYS, keys)
  return {
    describe(key) {
      const found = findBuiltin(key)
      // Regions of a newer release may have more of them.
      if (found === null) return { ok: false, error: 'unreachable' }
      const description = { ...found.description, public_key: first.publicKey, key_rollovers: rollovers }
      return { ok: true, description }
    },
    answer: (key, request) => answerSealed(findBuiltin(key), keys, request),
  }
}

/** Each key vouches for the one before it in the list, which took its place. */
async function rolloversOf(
  secrets: ForwarderSettings['BUILTIN_KEYS'],
  keys: readonly BuiltinKey[],
): Promise<KeyRollover[]> {
  const made: KeyRollover[] = []
  for (const [at, { publicKey }] of keys.entries()) {
    const former = secrets[at + 1]
    if (former === undefined || made.length === PLUGIN_LIMITS.keyRollovers) break
    const signed = await signKeyRollover(cryptoPlatform, former, publicKey)
    if (!signed.ok) throw unusable()
    made.unshift(signed.value)
  }
  return made
}

function findBuiltin(key: string): Builtin | null {
  return Object.hasOwn(BUILTINS, key) ? (BUILTINS[key] ?? null) : null
}

async function openKey(key: Secret<Uint8Array<ArrayBuffer>>): Promise<BuiltinKey> {
  const opening = await importOpeningKey(cryptoPlatform, key)
  if (!opening.ok) throw unusable()
  const publicKey = derivePublicKey(cryptoPlatform, key)
  if (!publicKey.ok) throw unusable()
  return { opening: opening.value, publicKey: publicKey.value }
}

function unusable(): SettingsError {
  return new SettingsError(['BUILTIN_KEYS: a key is not an RSA-2048 key as PKCS #8 in base64'])
}
