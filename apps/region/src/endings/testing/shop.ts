import {
  addPlugin,
  bodyOf,
  type Company,
  flowAuthor,
  type openWorld,
  type Person,
  sealTo,
  type Service,
} from '@sealpost/testkit'
import { dataUri, pdfWith, PNG, upload } from '../../modules/flows/testing/assets.ts'

export type World = Awaited<ReturnType<typeof openWorld>>
type Site = 'eu' | 'us'

/** Where the two sides live, and what the customer is. */
export interface Setting {
  readonly company: Site
  readonly customer: Site
  readonly customerType: 'person' | 'company'
}

/** A company with a service that has a row of every kind, before a customer is connected. */
export interface Shop {
  readonly world: World
  readonly setting: Setting
  readonly company: Company
  readonly service: Service
  readonly flowId: string
  /** Acts for the company, and is asked to connect. */
  readonly visitor: Person
  readonly ids: Readonly<Record<string, string>>
}

const PASSPHRASE = 'the passphrase of a service'
const field = (slug: string, field_type: string) => ({ kind: 'field', slug, field_type, label: slug, required: true })

export async function openShop(world: World, setting: Setting): Promise<Shop> {
  const company = await world.company({ region: setting.company })
  const service = await world.service([{ slug: 'name' }, { slug: 'scan', type: 'pdf_document', one_time: true }], {
    company,
  })
  const visitor = await world.person({ region: setting.customer })
  await company.put('website', 'https://shop.example')
  await shareCard(company, service)
  await service.webhook()
  await addPlugin(company)
  await handOverPassphrase(company, service, visitor)
  const request = await bodyOf(
    service.data('POST', '/api/company-data/connect-requests', { body: { share_code: visitor.shareCode } }),
    201,
  )
  const flowId = await publishFlow(service, setting)
  const ids = {
    service: service.serviceId,
    company: company.companyId,
    visitor: visitor.userId,
    flow: flowId,
    request: String(request['request_id']),
  }
  return { world, setting, company, service, flowId, visitor, ids }
}

/** To a delegate, and to the company's recovery key. */
async function handOverPassphrase(company: Company, { serviceId }: Service, visitor: Person) {
  const delegate = { share_code: visitor.shareCode, role: 'admin', services: [serviceId] }
  const { id } = await bodyOf(company.calls('POST', '/api/delegates', { body: delegate }), 201)
  const given = { sealed: await sealTo(visitor.user.keys.publicKey, PASSPHRASE) }
  await bodyOf(company.calls('PUT', `/api/delegates/${String(id)}/services/${serviceId}/key`, { body: given }))
  const sealed = await sealTo(recoveryKeyOf(company), PASSPHRASE)
  const copy = { kind: 'service_passphrase', ref_id: serviceId, sealed }
  await bodyOf(company.calls('POST', '/api/account/recovery-copies', { body: copy }), 201)
}

function recoveryKeyOf({ recoveryKeys }: Company): string {
  if (recoveryKeys === null) throw new Error('a company has a recovery key')
  return recoveryKeys.publicKey
}

async function shareCard(company: Company, service: Service): Promise<void> {
  const { config_token } = await bodyOf(company.portal('GET', `${service.path}/share-fields`))
  const body = { config_token, fields: [{ field_id: company.field('website') }] }
  await bodyOf(company.portal('PUT', `${service.path}/share-fields`, { body }))
  const { id } = await bodyOf(company.portal('POST', '/api/photos', { body: { file: dataUri('image/png', PNG) } }), 201)
  await bodyOf(company.portal('POST', `${service.path}/share-photos`, { body: { photo_id: id } }), 201)
}

/** The owner asks an amount, the customer a name and a file; the owner makes one document, which the customer accepts. */
async function publishFlow(service: Service, { customerType }: Setting): Promise<string> {
  const author = flowAuthor(service)
  const draft = await author.create()
  const asset_key = await upload(author, draft.flowId, undefined, pdfWith('Contract with {{nick}}'))
  const signers = [{ party: 'customer', action: 'accept' }]
  const rules = [{ asset_key, condition: null, languages: 'all', signers }]
  const flow = await author.save(draft, {
    entry: 'ask',
    output_mode: 'document',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: customerType },
    ],
    nodes: [
      { key: 'ask', party: 'us', title: 'Amount', elements: [field('amount', 'number')] },
      { key: 'tell', party: 'customer', title: 'You', elements: [field('nick', 'text'), field('proof', 'document')] },
      {
        key: 'end',
        party: 'us',
        title: 'End',
        elements: [],
        language_party: 'customer',
        outputs: [{ output_key: 'contract', name: 'Contract', rules }],
      },
    ],
    edges: [
      { from: 'ask', to: 'tell', sort: 0, condition: null },
      { from: 'tell', to: 'end', sort: 0, condition: null },
    ],
    constants: [],
  })
  await author.publish(flow)
  return flow.flowId
}
