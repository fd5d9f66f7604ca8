import { getAt, setAt } from '../edit.ts'
import { leaksIn } from '../leaks.ts'
import type { Operator } from '../operator.ts'
import type { AnswerMember } from './answer-members.ts'
import type { Outcome, Recorded } from './stage.ts'
import type { Telling } from './tellings.ts'

/**
 * What a lie has led to: the error that refused it; `unread` if nothing is different;
 * `handed on` if the client only shows what it was told; `believed` if the client believes or
 * does something else; `leaked` if the operator can read what it must not.
 */
export type Effect = string

const SECRET = /secret.\d+.of.Ana/

/** Null if the journey gets no such member, or none that the lie changes. */
export async function tell(
  recorded: Recorded,
  { member, telling, memory, honest }: Told,
  operator: Operator,
): Promise<Effect | null> {
  const outcome = await recorded.again(recorded.memories[memory], ({ operation, body }) =>
    operation === member.answer && isThere(body, member.path)
      ? setAt(body, member.path.split('.'), telling.change)
      : undefined,
  )
  if (!outcome.isChanged) return null
  const leaks = await leaksIn(outcome.seen, operator, SECRET)
  const isElsewhere = outcome.seen.some(({ origin }) => origin.endsWith('evil.example'))
  if (leaks.length > 0) return 'leaked'
  if (isElsewhere) return 'led elsewhere'
  if (outcome.error !== null) return nameOf(outcome.error)
  if (outcome.believed === honest.believed) return 'unread'
  return recorded.journey.handsOn === true ? 'handed on' : 'believed'
}

export interface Told {
  readonly member: AnswerMember
  readonly telling: Telling
  readonly memory: 'first' | 'after'
  readonly honest: Outcome
}

/** Whether an answer has the member, in one of the elements that the path means. */
export function isThere(body: unknown, path: string): boolean {
  const [step = '', ...rest] = path.split('.')
  if (path === '') return true
  if (step !== '*') {
    const below = getAt(body, step)
    return below !== undefined && isThere(below, rest.join('.'))
  }
  if (typeof body !== 'object' || body === null) return false
  return Object.values(body).some((item) => isThere(item, rest.join('.')))
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const reason = ['reason', 'refusal', 'key'].map((name) => getAt(error, name)).find((text) => typeof text === 'string')
  return reason === undefined ? error.name : `${error.name} ${reason}`
}
