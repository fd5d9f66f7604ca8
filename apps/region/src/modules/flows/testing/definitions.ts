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
