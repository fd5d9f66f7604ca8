import { customSetting, type Setting } from '@sealpost/kernel'
import type { Level } from '@sealpost/protocol'

/** The bytes that an account of each level may store; null for no limit. */
export type StorageQuota = Readonly<Record<Level, number | null>>

const LEVELS = ['free', 'basic', 'pro', 'enterprise'] as const satisfies readonly Level[]
const MB = 1_048_576
const ENTRY = /^(\w+)=([1-9][0-9]{0,8})$/

export function quotaSetting({ about, fallback }: { about: string; fallback: string }): Setting<StorageQuota> {
  return customSetting({ about, fallback }, 'a list of `level=megabytes`, separated by commas', parseQuota)
}

export function parseQuota(text: string): StorageQuota {
  const quota: Record<Level, number | null> = { free: null, basic: null, pro: null, enterprise: null }
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [, name, megabytes] = ENTRY.exec(entry) ?? []
    const level = LEVELS.find((known) => known === name)
    if (level === undefined)
      throw new Error(`${JSON.stringify(entry)} is not one of ${LEVELS.join(', ')} and megabytes`)
    quota[level] = Number(megabytes) * MB
  }
  return quota
}
