import type { Result, Secret } from '@sealpost/kernel'
import type { Evaluation } from '../evaluation/evaluate.ts'
import type { NotGenerated } from '../rules/not-generated.ts'
import type { StoredRun } from '../service-side/model.ts'

/** Text under the one-time key, read when it is needed; null when it cannot be read. */
export type SealedText = () => Promise<string | null>

/** What the generating party hands over for one call. */
export interface HandedOver {
  readonly otk: Secret<string>
  /** Null when the member is no text. */
  readonly values: SealedText | null
  /** By source key; null when the list is malformed or names an input that was not uploaded. */
  readonly inputs: ReadonlyMap<string, SealedText> | null
  /** The file answers whose own copy the generating party has; null: as the company's copies say. */
  readonly fileSlugs: ReadonlySet<string> | null
}

export type Texts = ReadonlyMap<string, string>

/** What all outputs of a call are filled with. */
export interface Filling {
  readonly run: StoredRun
  /** Of the templates, by asset key; null: too long. */
  readonly texts: Evaluation['texts']
  /** The texts for these tags of a participant's PDF. */
  readonly textsFor: (sourceKey: string, tags: readonly string[]) => Promise<Result<Texts | null, NotGenerated>>
  /** The envelope of a participant's PDF. */
  readonly openInput: (sourceKey: string) => Promise<string | null>
}
