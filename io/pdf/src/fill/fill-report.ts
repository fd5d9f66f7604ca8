import type { TemplateScan } from '@sealpost/pdf-format'

/** What a process found and did; the caller knows the values. */
export interface FillOutcome {
  readonly scan: TemplateScan
  /** Values that are longer than their room, also at 60 % of their size. At most as many as tags are listed. */
  readonly overflowing: readonly FilledPlace[]
  /** Keys whose value has a character that no font has; U+FFFD is drawn for it. */
  readonly incomplete: readonly string[]
}

export interface FilledPlace {
  readonly key: string
  /** From 1. */
  readonly page: number
}

/** What became of the tags of a template: the scan, and what is particular to the values. It has no text of a value. */
export interface FillReport extends TemplateScan {
  /** Keys without a value: their tags print empty. */
  readonly missing: readonly string[]
  /** Values without a tag. */
  readonly unused: readonly string[]
  readonly overflowing: readonly FilledPlace[]
  readonly incomplete: readonly string[]
}

export function reportOf({ scan, overflowing, incomplete }: FillOutcome, keys: ReadonlySet<string>): FillReport {
  return {
    ...scan,
    missing: scan.keys.filter((key) => !keys.has(key)),
    unused: [...keys].filter((key) => !scan.keys.includes(key)),
    overflowing,
    incomplete,
  }
}
