import { createHash } from 'node:crypto'
import { bodyOf, membersOf, sealTo } from '@sealpost/testkit'
import { expect } from 'vitest'
import { dataUri, pdfWith } from '../../flows/testing/assets.ts'
import { type contractFlow, openContracts } from './contracts.ts'
import { pathOf, type Runs } from './runs.ts'

export const SOURCE = 'conn:customer:deed'
const DEED = { file: dataUri('application/pdf', pdfWith('Deed of {{nick}}')), original_name: 'deed.pdf' }

const tag = { kind: 'text', body: 'Dear {{customer.name}}' }
const proof = { kind: 'field', slug: 'proof', field_type: 'document', label: 'Proof', required: true }

const withTagAndFile = (definition: ReturnType<typeof contractFlow>) => ({
  ...definition,
  nodes: definition.nodes.map((node) =>
    node.key === 'tell' ? { ...node, elements: [tag, ...node.elements, proof] } : node,
  ),
})

const source_connection = { party: 'customer', request_slug: 'deed' }
const outputs = () => [
  { output_key: 'deed', name: 'Deed', rules: [{ source_connection, condition: null, languages: 'all' }] },
]

function readersOf({ service, customer, partner }: Runs) {
  return [
    { name: 'company', userId: service.company.companyId, publicKey: service.publicKey },
    { name: customer.userId, ...customer },
    { name: partner.userId, ...partner },
  ]
}

/** A copy of the shared file and the values in texts, for each participant. */
async function startBody(runs: Runs, flowId: string): Promise<object> {
  const source_files: object[] = []
  const tag_values: Record<string, object> = {}
  const text = JSON.stringify({ 'customer.name': { v: 'Mara', t: 'text' } })
  for (const { name, userId, publicKey } of readersOf(runs)) {
    const body = { source_user_id: runs.customer.userId, value: await sealTo(publicKey, JSON.stringify(DEED)) }
    const path = `/api/company-data/flows/${flowId}/run-files`
    const { file } = await bodyOf(runs.service.data('POST', path, { body }), 201)
    source_files.push({ source_key: SOURCE, for_user_id: userId, file })
    tag_values[name] = {
      recipient_pubkey_sha256: createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex'),
      public: await sealTo(publicKey, text),
      public_tags: ['customer.name'],
      private: {},
    }
  }
  return { targets: runs.targets, flow_version: 1, source_files, tag_values }
}

/** Runs that hold data of every kind: answers, a file, a copy of a shared file and values in texts. */
export async function openFullRuns(world: Parameters<typeof openContracts>[0]) {
  const runs = await openContracts(world, {
    outputs,
    definition: withTagAndFile,
    fields: [{ slug: 'deed', type: 'pdf_document' }],
    shared: [
      { slug: 'name', text: 'Mara' },
      { slug: 'deed', kind: 'typed', file: DEED },
    ],
    body: startBody,
  })
  const { customer, partner, arrived, service } = runs
  const path = (id: string) => `/api/services/${service.serviceId}/flows/${runs.flowId}/runs/${id}`

  /** A run that awaits its last party; all participants have their copies. */
  const full = async (): Promise<string> => {
    const id = String((await bodyOf(runs.start(), 201))['id'])
    await bodyOf(runs.answer(id, { amount: '21' }, { next_node: 'tell' }))
    await arrived(customer, id, 'awaiting_customer')
    const values: object[] = []
    for (const copy of await runs.copies('a file')) {
      const body = { slug: 'proof', ...copy }
      const { file } = await bodyOf(customer.calls('POST', `${pathOf(customer, id)}/answer-files`, { body }), 201)
      values.push({ ...copy, value: JSON.stringify({ _enc_file: file }) })
    }
    const answers = [
      { slug: 'nick', values: await runs.copies('Mara') },
      { slug: 'proof', values },
    ]
    await bodyOf(customer.calls('POST', `${pathOf(customer, id)}/answers`, { body: { answers, next_node: 'end' } }))
    for (const who of [customer, partner]) await arrived(who, id, 'awaiting_partner')
    return id
  }

  /** The run as the company, the person and the partner read it: the members that hold data. */
  const dataOf = async (id: string) => {
    const reads = [service.portal('GET', path(id)), runs.readAs(customer, id), runs.readAs(partner, id)]
    return (await Promise.all(reads)).map(({ body }) => ({
      answers: body['answers'],
      source_files: body['source_files'],
      tag_values: body['tag_values'],
    }))
  }
  const expectData = async (id: string): Promise<void> => {
    for (const { answers, source_files: files, tag_values: tags } of await dataOf(id)) {
      expect(answers).toMatchObject([{ slug: 'amount' }, { slug: 'nick' }, { slug: 'proof' }])
      expect(Object.keys(membersOf(files))).toEqual([SOURCE])
      expect(tags).toMatchObject({ public_tags: ['customer.name'] })
    }
  }
  return { ...runs, full, dataOf, expectData, readOwn: (id: string) => bodyOf(service.portal('GET', path(id))) }
}
