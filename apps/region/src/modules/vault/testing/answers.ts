interface Answered {
  readonly status: number
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The body of an answer that must have this status. */
export async function bodyOf(answer: Promise<Answered>, status = 200): Promise<Answered['body']> {
  const answered = await answer
  if (answered.status !== status) throw new Error(`${status} was expected, not ${answered.status}: ${answered.text}`)
  return answered.body
}
