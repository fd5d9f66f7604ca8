import type { SealingRefusal } from '../keys/sealing-error.ts'
import type { ValueProblem } from '../values/field-types.ts'
import type { TypedValue } from '../values/typed-value.ts'
import type { Attestedness } from '../values/values.ts'

/** An answer of a run, opened with the own key. */
export type OpenedAnswer = AnswerFacts &
  (
    | (TypedValue & {
        /** Exactly what was sealed. */
        readonly text: string
        /** Of an answer that was linked from a verified field; covers exactly this text. */
        readonly attestation: Attestedness
        /** Where the text does not fit its type: the platform could not validate it. */
        readonly problems: readonly ValueProblem[]
      })
    /** Read it with `readFile`. `isHeld` is false for a linked file that was too large for a copy in the run. */
    | { readonly kind: 'file'; readonly isHeld: boolean; readonly isLinked: boolean }
    /** Sealed to another key, or by a faulty client. */
    | { readonly kind: 'unreadable'; readonly refusal: SealingRefusal; readonly message: string }
  )

export interface AnswerFacts {
  /** The party that gave it. */
  readonly party: string
  /** The step that asked for it. */
  readonly step: string
  /** The question. */
  readonly label: string
  /** The options of the step, also those that were closed; null where it has none of its own. */
  readonly options: readonly { readonly value: string; readonly label: string }[] | null
  /** The type of the field; `plugin` for the answer of a plugin. */
  readonly type: string
  /** Whether its party derived it from a private field. */
  readonly isPrivate: boolean
}
