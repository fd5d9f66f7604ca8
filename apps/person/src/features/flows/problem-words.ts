import type { Words } from '../../words/en/index.ts'
import type { StepView } from '../../worker/commands/turns.ts'

/** The problems of one question in words, by their place in its value. */
export function problemsOf(
  { flows, data }: Words,
  { problems }: Pick<StepView, 'problems'>,
  slug: string,
): Readonly<Record<string, string>> {
  const own = problems.filter((problem) => problem.slug === slug)
  return Object.fromEntries(
    own.map(({ reason, path, value }) => [
      path,
      reason === 'value_invalid' ? (data.problems[value ?? ''] ?? data.problem) : flows.problems[reason],
    ]),
  )
}
