import { listOf } from '@sealpost/testkit'
import { usersOf, userOf } from './cast.ts'
import { type Json, mustSucceed } from './doors/door.ts'
import { kindOf } from './field-values.ts'
import { fillStep } from './fill-step.ts'
import { Mismatch } from './mismatch.ts'
import { actorOf, type Running } from './play.ts'
import type { KnownAnswer } from './reference.ts'
import { handleIn } from './views.ts'
import { checkAgainstModel } from './walk.ts'
import { fieldsOf, nodeOf } from './written.ts'

export interface AnswerItem {
  readonly slug: string
  readonly values: readonly { readonly for_user_id: string; readonly value: string }[]
  readonly source_private?: boolean
}

/** A turn that its party is ready to submit. */
export interface PreparedTurn {
  readonly party: string
  readonly items: readonly AnswerItem[]
  readonly to: Json
  readonly next: string | null
  readonly known: readonly KnownAnswer[]
}

/** The party reads its copies, fills the step in and seals the answers for every reader. */
export async function prepareTurn(play: Running, party: string): Promise<PreparedTurn> {
  const filled = fillStep(play.dice, await stepFacts(play, party), true)
  checkAgainstModel(play, play.state, filled)
  if (filled.isCareless) play.counts.add('required answers left out')
  const items: AnswerItem[] = []
  const known: KnownAnswer[] = []
  const types = new Map(fieldsOf(nodeOf(play.flow, play.state.node)).map((field) => [field.slug, field.field_type]))
  for (const [slug, text] of filled.answers) {
    const type = types.get(slug) ?? ''
    const isFile = kindOf(type) === 'file'
    const isPrivate = play.dice.chance(0.3)
    const isSaid = isPrivate || play.dice.chance(0.3)
    const values = isFile ? await uploadCopies(play, party, slug, text) : await sealCopies(play, text)
    items.push({ slug, values, ...(isSaid ? { source_private: isPrivate } : {}) })
    known.push({ slug, party, text, isFile, isPrivate })
    play.counts.add(`type ${type}`)
  }
  const to = filled.next === null ? { leaf: true } : { next_node: filled.next }
  return { party, items, to, next: filled.next, known }
}

async function stepFacts(play: Running, party: string) {
  const { definition, state, cast, reader, today, runId } = play
  const user = userOf(cast, party)
  const view = mustSucceed(await actorOf(play, party).read(runId))
  const opened = listOf(view['answers']).map(async ({ slug, value }) => {
    const text = handleIn(value) === null ? await reader.open(user, String(value)) : String(value)
    if (text === null) throw new Mismatch(`${party} cannot open its copy of ${String(slug)}`)
    return [String(slug), text] as const
  })
  return { definition, node: state.node, known: new Map(await Promise.all(opened)), today }
}

export async function sealCopies({ cast }: Pick<Running, 'cast'>, text: string): Promise<AnswerItem['values']> {
  return Promise.all(usersOf(cast).map(async (user) => ({ for_user_id: user.userId, value: await user.seal(text) })))
}

async function uploadCopies(play: Running, party: string, slug: string, text: string): Promise<AnswerItem['values']> {
  const values: { for_user_id: string; value: string }[] = []
  for (const { for_user_id, value } of await sealCopies(play, text)) {
    const { file } = mustSucceed(await actorOf(play, party).upload(play.runId, { slug, for_user_id, value }))
    values.push({ for_user_id, value: JSON.stringify({ _enc_file: file }) })
  }
  play.counts.add('files uploaded', values.length)
  return values
}
