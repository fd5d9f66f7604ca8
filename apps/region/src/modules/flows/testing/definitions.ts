/** A flow of one step that a person fills; `label` makes it different from others. */
export function oneStep(label = 'Your name') {
  return {
    entry: 'start',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
    ],
    nodes: [
      {
        key: 'start',
        party: 'customer',
        title: 'About you',
        elements: [{ kind: 'field', slug: 'full_name', field_type: 'text', label, required: true }],
      },
    ],
    edges: [],
    constants: [],
  }
}

/** The same flow, which makes one document of a template. */
export function documentFlow(assetKey: string) {
  const { nodes, ...rest } = oneStep()
  const rules = [{ asset_key: assetKey, condition: null, languages: 'all' }]
  const outputs = [{ output_key: 'contract', name: 'Contract', rules }]
  return {
    ...rest,
    output_mode: 'document',
    nodes: nodes.map((node) => ({ ...node, language_party: 'customer', outputs })),
  }
}

/** A valid flow near the limits: 20 parties, 300 elements in a line of 100 steps, and constants that read each other. */
export function largeFlow(constants = 300) {
  const parties = [
    { key: 'us', label: 'Us', type: 'owner' },
    ...Array.from({ length: 19 }, (_, place) => ({ key: `person_${place}`, label: `Person ${place}`, type: 'person' })),
  ]
  const steps = Array.from({ length: 100 }, (_, place) => place)
  const nodes = steps.map((place) => ({
    key: `step_${place}`,
    party: parties[place % parties.length]?.key ?? 'us',
    title: `Step ${place}`,
    elements: [
      { kind: 'field', slug: `number_${place}`, field_type: 'number', label: 'Number', required: true },
      { kind: 'field', slug: `text_${place}`, field_type: 'text', label: 'Text', required: false },
      { kind: 'text', body: `You have said {{text_${place}}} and {{number_0}}.` },
    ],
  }))
  const edges = steps.slice(1).map((place) => ({
    from: `step_${place - 1}`,
    to: `step_${place}`,
    sort: 0,
    condition: null,
  }))
  return {
    entry: 'step_0',
    output_mode: 'data_only',
    parties,
    nodes,
    edges,
    constants: Array.from({ length: constants }, (_, place) => ({
      key: `sum_${place}`,
      label: '',
      result_type: 'number',
      expr: {
        type: 'math',
        op: 'add',
        args: [
          ...Array.from({ length: 20 }, (_one, read) => ({ type: 'ref', key: `number_${(place + read) % 100}` })),
          ...(place === 0 ? [] : [{ type: 'ref', key: `sum_${place - 1}` }]),
        ],
      },
      shown_on: ['step_99'],
    })),
  }
}

/**
 * The owner asks an amount, then a person and another company answer; above 100 the person adds a file. It ends at the
 * company's step.
 */
export function intake(more: Readonly<Record<string, unknown>> = {}) {
  const over = { field: 'amount', op: 'gt', value: 100 }
  return {
    entry: 'ask',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
      { key: 'partner', label: 'Partner', type: 'company' },
    ],
    nodes: [
      { key: 'ask', party: 'us', title: 'Amount', elements: [field('amount', 'number')] },
      { key: 'tell', party: 'customer', title: 'About you', elements: [field('nick'), field('note', 'text', false)] },
      { key: 'prove', party: 'customer', title: 'Proof', elements: [field('proof', 'document')] },
      { key: 'confirm', party: 'partner', title: 'Confirm', elements: [field('reference')] },
    ],
    edges: [
      { from: 'ask', to: 'tell', sort: 0, condition: null },
      { from: 'tell', to: 'prove', sort: 0, condition: over },
      { from: 'tell', to: 'confirm', sort: 1, condition: null },
      { from: 'prove', to: 'confirm', sort: 0, condition: null },
    ],
    constants: [],
    ...more,
  }
}

function field(slug: string, field_type = 'text', required = true) {
  return { kind: 'field', slug, field_type, label: slug, required }
}

/** The owner and then a person answer plugin elements; a company confirms. */
export function withPlugins(pluginId: string) {
  const use = (field_type: string, inputs: Readonly<Record<string, string>>) => ({
    plugin_id: pluginId,
    field_type,
    inputs,
  })
  return {
    entry: 'ask',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
      { key: 'partner', label: 'Partner', type: 'company' },
    ],
    nodes: [
      {
        key: 'ask',
        party: 'us',
        title: 'Amount',
        elements: [
          { kind: 'field', slug: 'amount', field_type: 'number', label: 'Amount', required: true },
          { kind: 'plugin', slug: 'vat', label: 'Rate', required: true, plugin: use('rate', { amount: 'amount' }) },
        ],
      },
      {
        key: 'tell',
        party: 'customer',
        title: 'Country',
        elements: [{ kind: 'plugin', slug: 'land', label: 'Country', required: true, plugin: use('country', {}) }],
      },
      {
        key: 'confirm',
        party: 'partner',
        title: 'Reference',
        elements: [{ kind: 'field', slug: 'reference', field_type: 'text', label: 'Reference', required: true }],
      },
    ],
    edges: [
      { from: 'ask', to: 'tell', sort: 0, condition: null },
      { from: 'tell', to: 'confirm', sort: 0, condition: null },
    ],
    constants: [],
  }
}
