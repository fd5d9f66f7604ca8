import { call } from '../../shell/worker.ts'
import type { AnswerWish } from '../../worker/commands/connections.ts'
import { type Choices, wishOf } from './answer.ts'

/** Stores what the person also wants to keep; the service then follows the field. */
export async function keepTyped(choices: Choices): Promise<Readonly<Record<string, AnswerWish>>> {
  const wishes: Record<string, AnswerWish> = {}
  for (const [slug, choice] of Object.entries(choices)) {
    const wish = wishOf(choice)
    if (wish === null) continue
    const keepIn = choice.kind === 'typed' ? choice.keepIn : null
    if (keepIn !== null && 'text' in wish) await call('saveValue', { fieldId: keepIn, text: wish.text })
    wishes[slug] = keepIn === null ? wish : { fieldId: keepIn }
  }
  return wishes
}
