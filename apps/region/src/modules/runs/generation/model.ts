import type { Secret } from '@sealpost/kernel'
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

/** What all outputs of a call are filled with. */
export interface Filling {
  readonly run: StoredRun
  readonly texts: ReadonlyMap<string, string>
  /** The envelope of a participant's PDF. */
  readonly openInput: (sourceKey: string) => Promise<string | null>
}
