import { derivePublicKey, importOpeningKey } from '@sealpost/crypto'
import { type Secret, SettingsError } from '@sealpost/kernel'
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
  return {
    describe(key) {
      const found = findBuiltin(key)
      // Regions of a newer release may have more of them.
      if (found === null) return { ok: false, error: 'unreachable' }
      return { ok: true, description: { ...found.description, public_key: first.publicKey } }
    },
    answer: (key, request) => answerSealed(findBuiltin(key), keys, request),
  }
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
