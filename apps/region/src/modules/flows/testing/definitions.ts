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
