/**
 * An intake of three parties without documents: the company names an amount, a person answers, and above 100 adds a file;
 * another company confirms. The fee is computed and shown to the person.
 */
export function intake() {
  const amount = { type: 'ref', key: 'amount' }
  const percent = { type: 'lit', value_type: 'number', value: 0.02 }
  return {
    entry: 'ask',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Northwind', type: 'owner' },
      { key: 'customer', label: 'Tenant', type: 'person' },
      { key: 'guarantor', label: 'Guarantor', type: 'company' },
    ],
    nodes: [
      { key: 'ask', party: 'us', title: 'Deposit', elements: [field('amount', 'number')] },
      {
        key: 'tell',
        party: 'customer',
        title: 'About you',
        elements: [
          { kind: 'text', body: 'The deposit is {{amount}}, the fee {{fee}}.' },
          field('nick'),
          field('note', 'text', false),
        ],
      },
      { key: 'prove', party: 'customer', title: 'Proof of income', elements: [field('proof', 'pdf_document')] },
      { key: 'confirm', party: 'guarantor', title: 'Guarantee', elements: [field('reference')] },
    ],
    edges: [
      { from: 'ask', to: 'tell', sort: 0, condition: null },
      { from: 'tell', to: 'prove', sort: 0, condition: { field: 'fee', op: 'gt', value: 2 } },
      { from: 'tell', to: 'confirm', sort: 1, condition: null },
      { from: 'prove', to: 'confirm', sort: 0, condition: null },
    ],
    constants: [
      {
        key: 'fee',
        label: 'Fee',
        result_type: 'number',
        expr: { type: 'math', op: 'mul', args: [amount, percent] },
        shown_on: ['tell'],
      },
    ],
  }
}

function field(slug: string, field_type = 'text', required = true) {
  return { kind: 'field', slug, field_type, label: slug, required }
}
