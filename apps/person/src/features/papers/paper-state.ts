import type { Words } from '../../words/en/index.ts'
import type { PaperView } from '../../worker/commands/papers.ts'

/** How dates are written in the language of the app. */
export interface DateWords {
  /** A moment. */
  readonly when: (at: string) => string
  /** A calendar day, `2027-01-31`. */
  readonly day: (date: string) => string
}

type PaperWords = Words['papers']

/** A word for a paper that the company has marked private; none for others. */
export function privacyOf(
  { private: word }: PaperWords,
  { isPrivate }: Pick<PaperView, 'isPrivate'>,
): readonly string[] {
  return isPrivate ? [word] : []
}

/** In a line of the list. */
export function stateLine({ states }: PaperWords, { when, day }: DateWords, paper: PaperView): string {
  const { status, isContract, endsOn, updatedAt, createdAt } = paper
  if (status === 'active') return isContract ? states.active(when(updatedAt)) : states.letter(when(createdAt))
  if (status === 'active_but_ending') return states.active_but_ending(day(endsOn ?? ''))
  return states[status]
}

/** What is so and what to do, at the top of the paper. */
export function stateSentence({ leads }: PaperWords, { day }: DateWords, paper: PaperView, company: string): string {
  const { status, acts, endsOn } = paper
  if (status === 'active') return acts.length > 0 ? leads.active : leads.sent
  if (status === 'active_but_ending') return leads.active_but_ending(day(endsOn ?? ''))
  if (status === 'ready_to_sign' || status === 'offering') return leads[status](company)
  return leads[status]
}
