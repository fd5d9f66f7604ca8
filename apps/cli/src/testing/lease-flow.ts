import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { bodyOf, flowAuthor, type Service } from '@sealpost/testkit'

/** Publishes a flow with a step of the company and two documents, which it signs and accepts; answers its id. */
export async function publishLeaseFlow(service: Service): Promise<string> {
  const author = flowAuthor(service)
  const draft = await author.create()
  const template = templatePdf({ contents: [textAt(72, 720, '(Lease of {{room}}) Tj')] })
  const file = `data:application/pdf;base64,${Buffer.from(template).toString('base64')}`
  const asset = { file, original_name: 'lease.pdf' }
  const { asset_key } = await bodyOf(author.call('POST', `/${draft.flowId}/assets`, asset), 201)
  const output = (output_key: string, name: string, action: 'sign' | 'accept') => {
    const rule = { asset_key, condition: null, languages: 'all', signers: [{ party: 'us', action }] }
    return { output_key, name, rules: [rule] }
  }
  await author.publish(
    await author.save(draft, {
      entry: 'end',
      output_mode: 'document',
      parties: [
        { key: 'us', label: 'Us', type: 'owner' },
        { key: 'tenant', label: 'Tenant', type: 'person' },
      ],
      nodes: [
        {
          key: 'end',
          party: 'us',
          title: 'Lease',
          elements: [{ kind: 'field', slug: 'room', field_type: 'text', label: 'Room', required: true }],
          language_party: 'tenant',
          outputs: [output('lease', 'Lease', 'sign'), output('rules', 'House rules', 'accept')],
        },
      ],
      edges: [],
      constants: [],
    }),
  )
  return draft.flowId
}
