import type { Ground } from './random-elements.ts'
import { randomCondition, type ReadableKey } from './random-expressions.ts'
import type { WrittenNode, WrittenRule } from './written.ts'

/** The documents of a last step, from files of the participants. `answers`: the keys of all steps. */
export function randomOutputs(
  { dice, facts, parties }: Ground,
  answers: readonly ReadableKey[],
  readable: readonly ReadableKey[],
): Required<Pick<WrittenNode, 'language_party' | 'outputs'>> {
  const papers = answers.filter(({ key }) => key.endsWith('_pdf'))
  const customers = parties.filter(({ type }) => type === 'person' || type === 'company')
  const rule = (): WrittenRule => {
    const isShared = customers.length > 0 && dice.chance(0.6)
    return {
      ...(isShared
        ? { source_connection: { party: dice.pick(customers).key, request_slug: facts.deedSlug } }
        : { source_field: dice.pick(papers).key }),
      condition: readable.length > 0 && dice.chance(0.4) ? randomCondition(dice, readable) : null,
      languages: dice.chance(0.7) ? 'all' : ['en', 'nl'],
      ...(dice.chance(0.5) ? { signers: [{ party: dice.pick(parties).key, action: 'sign' as const }] } : {}),
    }
  }
  const outputs = Array.from({ length: 1 + dice.below(2) }, (_, place) => ({
    output_key: `paper_${place}`,
    name: `Paper ${place}`,
    rules: Array.from({ length: 1 + dice.below(2) }, rule),
  }))
  return { language_party: dice.pick(parties).key, outputs }
}
