import { createSigningKeys } from '@sealpost/testkit'

/** One rolling restart with these settings. */
export interface Stage {
  readonly name: 'both known' | 'new one used' | 'old one removed'
  readonly settings: Readonly<Record<string, string>>
}

/**
 * The order in which a key is replaced while processes with older and newer settings serve side by side: first every
 * process knows the new key, then it is used, and the old one is removed when nothing is stored under it.
 */
function stagesOf(setting: string, both: string, reversed: string, renewed: string): readonly Stage[] {
  return [
    { name: 'both known', settings: { [setting]: both } },
    { name: 'new one used', settings: { [setting]: reversed } },
    { name: 'old one removed', settings: { [setting]: renewed } },
  ]
}

/** For a list of `id:key`; the first one is used. */
export function ringStages(setting: string, old: string): readonly Stage[] {
  const renewed = `new1:the-new-key-of-${setting.toLowerCase().replaceAll('_', '-')}-in-this-run`
  return stagesOf(setting, `${old},${renewed}`, `${renewed},${old}`, renewed)
}

export async function signingStages(old: string): Promise<readonly Stage[]> {
  const renewed = await createSigningKeys('new')
  return stagesOf('SIGNING_KEYS', joinKeys(old, renewed), joinKeys(renewed, old), renewed)
}

/** Several settings changed at once, stage by stage. */
export function together(rotations: readonly (readonly Stage[])[]): readonly Stage[] {
  const [first = []] = rotations
  return first.map(({ name }, index) => ({
    name,
    settings: Object.fromEntries(rotations.flatMap((stages) => Object.entries(stages[index]?.settings ?? {}))),
  }))
}

function joinKeys(first: string, second: string): string {
  return JSON.stringify({ keys: [...keysOf(first), ...keysOf(second)] })
}

function keysOf(text: string): readonly unknown[] {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed === 'object' && parsed !== null && 'keys' in parsed && Array.isArray(parsed.keys))
    return parsed.keys
  throw new Error('SIGNING_KEYS is no key set')
}
