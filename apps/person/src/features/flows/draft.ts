import type { AnswerDraft, BlockDrafts, BlockView, QuestionView, TurnDraft } from '../../worker/commands/turns.ts'

export function answerIn(draft: TurnDraft, step: string, slug: string): AnswerDraft | undefined {
  return draft.answers[step]?.[slug]
}

/** Null takes the answer back: a default stands again. */
export function withAnswer(draft: TurnDraft, step: string, slug: string, answer: AnswerDraft | null): TurnDraft {
  const others = Object.entries(draft.answers[step] ?? {}).filter(([other]) => other !== slug)
  const changed = answer === null ? others : [...others, [slug, answer] as const]
  return { ...draft, answers: { ...draft.answers, [step]: Object.fromEntries(changed) } }
}

/** A text keeps the default that it replaced: typed again, it follows the default again. */
export function typedOver(
  { text: shown }: Pick<QuestionView, 'text'>,
  before: AnswerDraft | undefined,
  text: string,
): AnswerDraft {
  const isEdited = before?.kind === 'typed' && before.text !== before.written
  return { kind: 'typed', text, written: isEdited ? before.written : (shown ?? '') }
}

/** The text to show: what was typed, else the default. `isEvaluated`: the question knows of the last change. */
export function shownText(
  { text: shown }: Pick<QuestionView, 'text'>,
  answer: AnswerDraft | undefined,
  isEvaluated: boolean,
): string {
  const isTyped = answer?.kind === 'typed' && (answer.text !== answer.written || !isEvaluated)
  return isTyped ? answer.text : (shown ?? '')
}

/** Empties a changed block together with those that depend on it: their options may be others now. */
export function withBlock(
  blocks: readonly BlockView[],
  filled: BlockDrafts,
  key: string,
  value: BlockDrafts[string] | null,
): BlockDrafts {
  const stale = new Set([key])
  for (const block of blocks) if (block.dependsOn.some((needed) => stale.has(needed))) stale.add(block.key)
  const kept = Object.entries(filled).filter(([other]) => !stale.has(other))
  return Object.fromEntries(value === null || value === '' ? kept : [...kept, [key, value]])
}

/** The blocks that have to be filled before this one. */
export function missingBefore({ dependsOn }: BlockView, filled: BlockDrafts): readonly string[] {
  return dependsOn.filter((needed) => filled[needed] === undefined)
}
