import { createSigningKeys } from '@sealpost/testkit'

/** One rolling restart with these settings. */
export interface Stage {
  readonly what: 'both are known' | 'the new one is used' | 'the old one is gone'
  readonly settings: Readonly<Record<string, string>>
}

/**
 * The order in which any key is replaced while processes with older and newer settings serve side by side: first
 * everybody knows the new key, then it is used, and only when nothing rests on the old one is that taken away.
 */
function stagesOf(setting: string, both: string, reversed: string, renewed: string): readonly Stage[] {
  return [
    { what: 'both are known', settings: { [setting]: both } },
    { what: 'the new one is used', settings: { [setting]: reversed } },
    { what: 'the old one is gone', settings: { [setting]: renewed } },
  ]
}

/** For a ring of `id:key`; the first one is used. */
export function ringStages(setting: string, old: string): readonly Stage[] {
  const renewed = `new1:the-key-that-comes-for-${setting.toLowerCase().replaceAll('_', '-')}-in-this-run`
  return stagesOf(setting, `${old},${renewed}`, `${renewed},${old}`, renewed)
}

export async function signingStages(old: string): Promise<readonly Stage[]> {
  const renewed = await createSigningKeys('new')
  return stagesOf('SIGNING_KEYS', joinKeys(old, renewed), joinKeys(renewed, old), renewed)
}

/** Several settings changed at once, stage by stage. */
export function together(rotations: readonly (readonly Stage[])[]): readonly Stage[] {
  const [first = []] = rotations
  return first.map(({ what }, index) => ({
    what,
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
  throw new Error('the installation has no key set')
}
