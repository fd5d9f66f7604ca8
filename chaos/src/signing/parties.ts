import type { OpeningKey } from '@sealpost/crypto'
import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import {
  bodyOf,
  type Calls,
  type ConnectedUser,
  connectNewUser,
  dataUri,
  flowAuthor,
  northwind,
  openServiceKey,
} from '@sealpost/testkit'
import { openOwner } from '../flows/parties.ts'
import type { Site } from '../flows/site.ts'

/** A company in eu with its portal, customers in both regions, and a flow of two documents. */
export interface Parties {
  readonly service: Calls
  readonly portal: Calls
  readonly opening: OpeningKey
  /** Of the runs: a company in us and one in eu. */
  readonly pairs: readonly { readonly customer: ConnectedUser; readonly partner: ConnectedUser }[]
  readonly flowId: string
}

/** The signing line of the two outputs of the flow. */
export const LINE = [
  { party: 'customer', output: 'contract', act: 'sign' },
  { party: 'us', output: 'annex', act: 'sign' },
  { party: 'partner', output: 'contract', act: 'accept' },
  { party: 'customer', output: 'annex', act: 'accept' },
  { party: 'us', output: 'contract', act: 'sign' },
] as const

export const OUTPUTS = ['contract', 'annex'] as const
export const PARTY_KEYS = ['us', 'customer', 'partner'] as const
export type PartyKey = (typeof PARTY_KEYS)[number]

export async function openParties(site: Site, count: number): Promise<Parties> {
  const { installation } = site
  const { owner, portal } = await openOwner(site)
  const pairs: Parties['pairs'][number][] = []
  for (let number = 0; number < count; number += 1)
    pairs.push({
      customer: await connectNewUser(installation, { userType: 'company', region: 'us' }, northwind),
      partner: await connectNewUser(installation, { userType: 'company', region: 'eu' }, northwind),
    })
  const flowId = await publishFlow(portal)
  return { service: owner.calls, portal, opening: await openServiceKey(northwind.service), pairs, flowId }
}

async function publishFlow(portal: Calls): Promise<string> {
  const author = flowAuthor({ portal, serviceId: northwind.serviceId })
  const draft = await author.create(undefined, 'Contracts')
  const content = textAt(60, 760, '(Agreed with {{nick}}: {{amount}}) Tj')
  const file = dataUri('application/pdf', templatePdf({ contents: [content] }))
  const upload = author.call('POST', `/${draft.flowId}/assets`, { file, original_name: 'contract.pdf' })
  const { asset_key: key } = await bodyOf(upload, 201)
  await author.publish(await author.save(draft, contractFlow(String(key))))
  return draft.flowId
}

function fieldOf(slug: string) {
  return { kind: 'field', slug, field_type: 'text', label: slug, required: true }
}

function signersOf(output: string) {
  return LINE.filter((step) => step.output === output).map(({ party, act }) => ({ party, action: act }))
}

function contractFlow(asset_key: string) {
  return {
    entry: 'ask',
    output_mode: 'document',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'company' },
      { key: 'partner', label: 'Partner', type: 'company' },
    ],
    nodes: [
      { key: 'ask', party: 'us', title: 'Amount', elements: [fieldOf('amount')] },
      {
        key: 'tell',
        party: 'customer',
        title: 'About you',
        elements: [fieldOf('nick')],
        language_party: 'us',
        outputs: OUTPUTS.map((output_key) => ({
          output_key,
          name: output_key,
          rules: [{ asset_key, condition: null, languages: 'all', signers: signersOf(output_key) }],
        })),
      },
    ],
    edges: [{ from: 'ask', to: 'tell', sort: 0, condition: null }],
    constants: [],
  }
}
