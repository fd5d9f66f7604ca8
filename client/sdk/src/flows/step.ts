import type { StepProblem } from './flow-error.ts'

/** The current step of a run for its party, with the answers given so far. */
export interface FlowStep {
  readonly key: string
  readonly title: string
  readonly party: string
  /** In the order to show them; hidden ones are left out. */
  readonly elements: readonly StepElement[]
  /** Computed values to show after the fields; the text is null while something that they read is missing. */
  readonly constants: readonly { readonly key: string; readonly label: string; readonly text: string | null }[]
  /** The reasons why the step cannot be submitted yet. */
  readonly problems: readonly StepProblem[]
  readonly next: NextStep
}

export type NextStep =
  | { readonly kind: 'step'; readonly key: string; readonly title: string; readonly party: string }
  /** The run ends here; in a flow with documents, they are made then. */
  | { readonly kind: 'end' }
  /** No edge holds, and the run may not end here. Publishing excludes such steps. */
  | { readonly kind: 'stuck' }

export type StepElement =
  | StepField
  /**
   * The values that it names are filled in, a dash stands for a missing one. `text` is without markup, `parts` has bold,
   * italic and links, to draw it.
   */
  | { readonly kind: 'text'; readonly text: string; readonly parts: readonly TextPart[] }
  | { readonly kind: 'image'; readonly assetKey: string; readonly alt: string }
  | { readonly kind: 'plugin'; readonly slug: string; readonly label: string; readonly required: boolean }

/** A part of a text with its markup. Links lead to `https:`, `mailto:` or `tel:` only. */
export type TextPart =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'bold' | 'italic'; readonly children: readonly TextPart[] }
  | { readonly kind: 'link'; readonly address: string; readonly children: readonly TextPart[] }

export interface StepField {
  readonly kind: 'field'
  readonly slug: string
  readonly type: string
  readonly label: string
  readonly help: string | null
  readonly required: boolean
  /** The options that are open with these answers; null for a field without options of the step. */
  readonly options: readonly { readonly value: string; readonly label: string }[] | null
  /** Bounds as text; null for none. */
  readonly min: string | null
  readonly max: string | null
  /** Whether a customer may or must answer from the profile; null where the flow says nothing. */
  readonly link: 'none' | 'allowed' | 'connected' | 'verified' | null
  /** The answer as it would be sealed, the default included; null while empty, and for a file. */
  readonly text: string | null
  /** Whether the answer counts as private: it comes from a private field, or its default reads something private. */
  readonly isPrivate: boolean
}
