import type { CaseAnswer, PluginCase } from './random-case.ts'

export const PLUGIN_SLUG = 'offer'

export function stepKey(step: number): string {
  return `step${step}`
}

/** `use` is the `plugin` member of the element without its inputs. */
export function writeDefinition({ parties, answers, constants, wiring }: PluginCase, use: object): object {
  const last = parties.length - 1
  const element = {
    kind: 'plugin',
    slug: PLUGIN_SLUG,
    label: 'Offer',
    required: false,
    plugin: { ...use, inputs: wiring },
  }
  return {
    entry: stepKey(0),
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
    ],
    nodes: parties.map((party, step) => ({
      key: stepKey(step),
      party,
      title: `Step ${step}`,
      elements: [
        ...answers.filter((one) => one.step === step).map((one) => fieldOf(one, step === last)),
        ...(step === last ? [element] : []),
      ],
    })),
    edges: parties
      .slice(1)
      .map((_, step) => ({ from: stepKey(step), to: stepKey(step + 1), sort: 0, condition: null })),
    constants,
  }
}

function fieldOf({ slug, kind, default: written }: CaseAnswer, isLast: boolean): object {
  const own = written === null ? {} : { default: written }
  return { kind: 'field', slug, field_type: kind, label: slug, required: !isLast, ...own }
}
