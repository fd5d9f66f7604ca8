/** The slugs of a flow of three parties. */
export interface ThreePartySlugs {
  readonly amount: string
  readonly nick: string
  readonly proof: string
  readonly reference: string
}

/** Flows with different suffixes share no slug, so their values do not replace each other. */
export function threePartySlugs(suffix = ''): ThreePartySlugs {
  return {
    amount: `amount${suffix}`,
    nick: `nick${suffix}`,
    proof: `proof${suffix}`,
    reference: `reference${suffix}`,
  }
}

/**
 * The owner asks an amount (`ask`), a person answers (`tell`) and above 100 adds a file (`prove`), another company
 * confirms (`confirm`). Without documents.
 */
export function threePartyFlow({ amount, nick, proof, reference }: ThreePartySlugs = threePartySlugs()) {
  const over = { field: amount, op: 'gt', value: 100 }
  return {
    entry: 'ask',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
      { key: 'partner', label: 'Partner', type: 'company' },
    ],
    nodes: [
      { key: 'ask', party: 'us', title: 'Amount', elements: [field(amount, 'number')] },
      { key: 'tell', party: 'customer', title: 'About you', elements: [field(nick)] },
      { key: 'prove', party: 'customer', title: 'Proof', elements: [field(proof, 'document')] },
      { key: 'confirm', party: 'partner', title: 'Confirm', elements: [field(reference)] },
    ],
    edges: [
      { from: 'ask', to: 'tell', sort: 0, condition: null },
      { from: 'tell', to: 'prove', sort: 0, condition: over },
      { from: 'tell', to: 'confirm', sort: 1, condition: null },
      { from: 'prove', to: 'confirm', sort: 0, condition: null },
    ],
    constants: [],
  }
}

function field(slug: string, field_type = 'text') {
  return { kind: 'field', slug, field_type, label: slug, required: true }
}
