import { createPrivateKey, fieldType, openPlugin, picksInvalid, type Plugin, type PluginOptions } from '../src/index.ts'

const MODELS: Readonly<Record<string, readonly string[]>> = {
  volvo: ['XC40', 'XC60', 'EX30'],
  renault: ['Clio', 'Mégane'],
}

/** Three blocks that depend on each other, an input and outputs of every type. */
export const car = fieldType({
  key: 'car',
  label: 'Car',
  blocks: {
    brand: {
      kind: 'search_select',
      label: 'Brand',
      options: [
        { id: 'volvo', label: 'Volvo' },
        { id: 'renault', label: 'Renault' },
      ],
    },
    model: {
      kind: 'search_select',
      label: 'Model',
      dependsOn: ['brand'],
      options: ({ picks }) => (MODELS[picks['brand'] ?? ''] ?? []).map((label) => ({ id: label.toLowerCase(), label })),
    },
    mileage: { kind: 'number', label: 'Mileage' },
    since: { kind: 'date', label: 'First registration' },
  },
  inputs: {
    budget: { type: 'number', label: 'Budget', required: true },
    electric: { type: 'boolean', label: 'Electric only' },
  },
  outputs: {
    price: { type: 'number', label: 'Price' },
    title: { type: 'text', label: 'Title' },
    next_service: { type: 'date', label: 'Next service' },
    affordable: { type: 'boolean', label: 'Within the budget' },
  },
  compute({ picks, values, inputs }) {
    if (inputs.electric === true && picks.model !== 'ex30') return picksInvalid
    const price = Math.max(0, 40_000 - values.mileage / 10)
    return {
      price,
      title: `${picks.brand} ${picks.model}`,
      next_service: values.mileage > 100_000 ? null : values.since.replace(/^\d{4}/, '2027'),
      affordable: price <= inputs.budget,
    }
  },
})

const LONG = Array.from({ length: 130 }, (_, at) => ({ id: `c${at}`, label: `Country ${at}` }))

/** A list that its author searches. */
export const country = fieldType({
  key: 'country',
  label: 'Country',
  blocks: {
    country: {
      kind: 'search_select',
      label: 'Country',
      search: (query, { limit }) => LONG.filter(({ label }) => label.includes(query)).slice(0, limit + 1),
      has: (id) => LONG.some((option) => option.id === id),
    },
  },
  outputs: { number: { type: 'number', label: 'Number' } },
  compute: ({ picks }) => ({ number: Number(picks.country.slice(1)) }),
})

let kept: Promise<string> | null = null

/** Made once: a key takes a second. */
export function testKey(): Promise<string> {
  kept ??= createPrivateKey()
  return kept
}

export async function openCars(options: Partial<PluginOptions> = {}): Promise<Plugin> {
  return openPlugin({ name: 'Cars', key: await testKey(), fieldTypes: [car, country], ...options })
}
