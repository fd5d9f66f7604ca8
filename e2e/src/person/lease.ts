import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { bodyOf, flowAuthor, type Service } from '@sealpost/testkit'

/** The landlord answers, and makes a contract that the tenant signs first; answers the id of the flow. */
export async function publishLease(service: Service): Promise<string> {
  const author = flowAuthor(service)
  const draft = await author.create(undefined, 'Lease')
  const pdf = templatePdf({ contents: [textAt(60, 700, '(The rent is {{rent}}) Tj', 16)] })
  const file = `data:application/pdf;base64,${Buffer.from(pdf).toString('base64')}`
  const asset = await bodyOf(author.call('POST', `/${draft.flowId}/assets`, { file, original_name: 'lease.pdf' }), 201)
  await author.publish(await author.save(draft, lease(String(asset['asset_key']))))
  return draft.flowId
}

function lease(asset: string) {
  const signers = [
    { party: 'tenant', action: 'sign' },
    { party: 'landlord', action: 'sign' },
  ]
  return {
    entry: 'offer',
    output_mode: 'document',
    parties: [
      { key: 'landlord', label: 'Landlord', type: 'owner' },
      { key: 'tenant', label: 'Tenant', type: 'person' },
    ],
    nodes: [
      {
        key: 'offer',
        party: 'landlord',
        title: 'Offer',
        elements: [{ kind: 'field', slug: 'rent', field_type: 'number', label: 'Rent', required: true }],
        language_party: 'tenant',
        outputs: [
          {
            output_key: 'lease',
            name: 'Lease',
            rules: [{ asset_key: asset, condition: null, languages: 'all', signers }],
          },
        ],
      },
    ],
    edges: [],
    constants: [],
  }
}
