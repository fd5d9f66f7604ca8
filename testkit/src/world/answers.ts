import { expect } from 'vitest'
import type { Answer } from '../people/call.ts'

/** The body of an answer that must have this status. */
export async function bodyOf(answering: Promise<Answer>, status = 200): Promise<Answer['body']> {
  const answer = await answering
  expect(answer.status, answer.text).toBe(status)
  return answer.body
}
