import { Secret } from './secret.ts'
import { customSetting, type Setting } from './settings.ts'

export interface NamedKey {
  readonly id: string
  readonly key: Secret<string>
}

/** One or two keys: new data is encrypted under the first; data of the second still opens until it is rewritten. */
export interface Keyring {
  readonly active: NamedKey
  readonly all: readonly NamedKey[]
}

const NAMED_KEY = /^([a-z0-9]{1,16}):(\S{32,})$/

/** `k2:<at least 32 characters>,k1:<…>`; a key must not hold a comma. */
export function keyringSetting({ about, fallback }: { about: string; fallback?: string }): Setting<Keyring> {
  const kind = 'one or two `id:key`, separated by a comma, each key of 32 characters or more'
  return customSetting(fallback === undefined ? { about } : { about, fallback }, kind, parseKeyring, true)
}

export function parseKeyring(text: string): Keyring {
  const all = text.split(',').map((part) => {
    const found = NAMED_KEY.exec(part.trim())
    if (found === null) throw new Error('a key does not read `id:key`')
    return { id: found[1] ?? '', key: new Secret(found[2] ?? '') }
  })
  const [active, previous] = all
  if (active === undefined || all.length > 2) throw new Error('one or two keys are expected')
  if (active.id === previous?.id) throw new Error('two keys have the same id')
  return { active, all }
}

export function findKey(keyring: Keyring, id: string): NamedKey | null {
  return keyring.all.find((named) => named.id === id) ?? null
}
