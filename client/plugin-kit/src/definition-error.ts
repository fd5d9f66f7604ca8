/** The definition of a plugin breaks rules. The message lists all of them, each with its place. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(['The plugin cannot be served:', ...problems.map((problem) => `- ${problem}`)].join('\n'))
    this.problems = problems
  }
}
