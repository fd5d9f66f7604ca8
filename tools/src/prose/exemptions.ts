import type { Exemption } from './words.ts'

export const EXEMPTIONS: readonly Exemption[] = [
  { path: 'docs/requirements.tsv', line: 'Bindings that name nobody besides', reason: 'words of the specification' },
  { path: 'vectors/', reason: 'test vectors are data that other implementations use unchanged' },
]
