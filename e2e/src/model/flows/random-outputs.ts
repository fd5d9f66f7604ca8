import type { Dice } from '@sealpost/testkit/dice'
import type { Ground } from './random-elements.ts'
import { randomCondition, type ReadableKey } from './random-expressions.ts'
import type { WrittenNode, WrittenParty, WrittenRule } from './written.ts'

/** Stands for the key of the uploaded template, which the region makes. */
export const TEMPLATE = 'template'

/** The documents of a last step, from files of the participants. `answers`: the keys of all steps. */
export function randomOutputs(
  { dice, facts, parties, hasTemplate = false }: Ground,
  answers: readonly ReadableKey[],
  readable: readonly ReadableKey[],
): Required<Pick<WrittenNode, 'language_party' | 'outputs'>> {
  const papers = answers.filter(({ key }) => key.endsWith('_pdf'))
  const customers = parties.filter(({ type }) => type === 'person' || type === 'company')
  const signers = () => randomSigners(dice, parties)
  const rule = (): WrittenRule => {
    if (hasTemplate && dice.chance(0.5))
      return {
        asset_key: TEMPLATE,
        ...randomTerms(dice, readable),
        ...(dice.chance(0.7) ? { signers: signers() } : {}),
      }
    const isShared = customers.length > 0 && dice.chance(0.6)
    return {
      ...(isShared
        ? { source_connection: { party: dice.pick(customers).key, request_slug: facts.deedSlug } }
        : { source_field: dice.pick(papers).key }),
      ...randomTerms(dice, readable),
      ...(dice.chance(0.5)
        ? { signers: hasTemplate ? signers() : [{ party: dice.pick(parties).key, action: 'sign' }] }
        : {}),
    }
  }
  const outputs = Array.from({ length: 1 + dice.below(2) }, (_, place) => ({
    output_key: `paper_${place}`,
    name: `Paper ${place}`,
    rules: Array.from({ length: 1 + dice.below(2) }, rule),
  }))
  return { language_party: dice.pick(parties).key, outputs }
}

function randomTerms(dice: Dice, readable: readonly ReadableKey[]): Pick<WrittenRule, 'condition' | 'languages'> {
  return {
    condition: readable.length > 0 && dice.chance(0.4) ? randomCondition(dice, readable) : null,
    languages: dice.chance(0.7) ? 'all' : ['en', 'nl'],
  }
}

/** Some of the parties, in any order; most sign. */
function randomSigners(dice: Dice, parties: readonly WrittenParty[]): NonNullable<WrittenRule['signers']> {
  const left = [...parties]
  const count = 1 + dice.below(Math.min(left.length, 4))
  return Array.from({ length: count }, () => {
    const [party] = left.splice(dice.below(left.length), 1)
    return { party: party?.key ?? '', action: dice.chance(0.6) ? ('sign' as const) : ('accept' as const) }
  })
}
