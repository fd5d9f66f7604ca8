import { openOperator } from '../operator.ts'
import { type AnswerMember, walkAnswers } from './answer-members.ts'
import type { Journey } from './journey.ts'
import { journeys } from './journeys.ts'
import { type MembersStage, openMembersStage, type Recorded } from './stage.ts'
import { isThere, tell } from './tell.ts'
import { type Means, tellingsOf } from './tellings.ts'

const MEMORIES = ['first', 'after'] as const

/** What the lies about a member have led to: for clients that remember nothing, and for those that have used it before. */
export type Effects = Readonly<Record<(typeof MEMORIES)[number], ReadonlySet<string>>>

export interface ToldLies {
  readonly lies: number
  /** By answer and path. */
  readonly effects: ReadonlyMap<string, Effects>
}

export const nameOf = ({ answer, path }: AnswerMember): string => `${answer} ${path}`

/** Lies about every member of every answer that a journey gets, one at a time. */
export async function tellAll(): Promise<ToldLies> {
  const stage = await openMembersStage()
  const { members } = walkAnswers()
  const means = await meansOf(stage)
  const effects = new Map<string, Record<(typeof MEMORIES)[number], Set<string>>>()
  let lies = 0
  for (const journey of journeys) {
    const recorded = await stage.record(journey)
    for (const memory of MEMORIES) {
      const honest = await honestly(recorded, journey, memory)
      for (const member of membersIn(recorded, members)) {
        for (const telling of tellingsOf(member, means)) {
          const effect = await tell(recorded, { member, telling, memory, honest }, means.operator)
          if (effect === null) continue
          lies += 1
          const found = effects.get(nameOf(member)) ?? { first: new Set<string>(), after: new Set<string>() }
          effects.set(nameOf(member), found)
          found[memory].add(effect)
        }
      }
    }
  }
  return { lies, effects }
}

async function honestly(recorded: Recorded, { name }: Journey, memory: (typeof MEMORIES)[number]) {
  const honest = await recorded.again(recorded.memories[memory], () => undefined)
  if (honest.error !== null) throw new Error(`told again, the truth is refused: ${name}`, { cause: honest.error })
  return honest
}

function membersIn({ tape }: Recorded, members: readonly AnswerMember[]): readonly AnswerMember[] {
  const answers = tape.answers()
  return members.filter(({ answer, path }) =>
    answers.some(({ operation, body }) => operation === answer && isThere(body, path)),
  )
}

async function meansOf({ world }: MembersStage): Promise<Means> {
  const operator = await openOperator()
  const recipients = [world.mara.keys.publicKey, world.serviceKey.publicKey]
  return {
    operator,
    foreignWrapper: await operator.seal(operator.publicKey, 'Mallory'),
    forgedWrappers: await Promise.all(recipients.map((key) => operator.seal(key, 'Mallory'))),
    foreignWrap: { iv: 'AAAAAAAAAAAAAAAB', data: 'AAAA', salt: 'AAAAAAAAAAAAAAAAAAAAAA==', iter: 1 },
  }
}
