import type { AnswerWish, AskedView } from '../../worker/commands/connections.ts'

/** What the person means to give for something that is asked. */
export type Choice =
  | { readonly kind: 'field'; readonly fieldId: string }
  /** `keep`: also stored in the person's own data, in the field with this id. */
  | { readonly kind: 'typed'; readonly text: string; readonly keepIn: string | null }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'undecided' }

export type Choices = Readonly<Record<string, Choice>>

/** The best guess: the field that is surely meant, if the company needs it. What it does not need starts at nothing. */
export function firstChoice({ suggested, isNeeded, given }: AskedView): Choice {
  if (given !== null && given.fieldId !== null) return { kind: 'field', fieldId: given.fieldId }
  if (suggested !== null && isNeeded) return { kind: 'field', fieldId: suggested }
  return isNeeded ? { kind: 'undecided' } : { kind: 'nothing' }
}

/** Slugs of what is needed and not given. */
export function missingOf(asked: readonly AskedView[], choices: Choices): readonly string[] {
  return asked.filter(({ isNeeded, slug }) => isNeeded && wishOf(choices[slug]) === null).map(({ slug }) => slug)
}

export function wishesOf(choices: Choices): Readonly<Record<string, AnswerWish>> {
  return Object.fromEntries(
    Object.entries(choices).flatMap(([slug, choice]) => {
      const wish = wishOf(choice)
      return wish === null ? [] : [[slug, wish]]
    }),
  )
}

export function wishOf(choice: Choice | undefined): AnswerWish | null {
  if (choice?.kind === 'field') return { fieldId: choice.fieldId }
  return choice?.kind === 'typed' && choice.text.trim() !== '' ? { text: choice.text } : null
}
