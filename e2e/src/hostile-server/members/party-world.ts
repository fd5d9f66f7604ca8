import { createPrivateKey, fieldType, openPlugin } from '@sealpost/plugin-kit'
import { AccountClient, AccountKey, ServiceKey } from '@sealpost/sdk'
import { bodyOf, flowAuthor, type Person, openWorld, type Service } from '@sealpost/testkit'
import type { WrapKey } from '@sealpost/vault'
import { openForwarderSite } from '../../plugins/forwarder-site.ts'
import { getAt } from '../edit.ts'

/** One honest installation, with one of each thing that a client reads. */
export interface PartyWorld {
  readonly frontDoorUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Answers of the plugin, which are sealed to a key of the question. */
  readonly computed: (path: string, body: string) => Promise<unknown>
  readonly service: Service
  readonly serviceKey: ServiceKey
  readonly mara: Person
  readonly maraKey: AccountKey
  readonly account: AccountClient
  readonly flowId: string
  readonly pluginId: string
  readonly appId: string
  readonly redirectUri: string
  readonly pricingId: string
  /** Of passwords, by e-mail address. */
  readonly wrapKeys: Map<string, WrapKey>
  readonly another: () => Promise<Service>
}

const TOKEN = 'a-token-of-the-company'
const REDIRECT = 'https://shop.example/cb'

const loan = fieldType({
  key: 'loan',
  label: 'Loan',
  inputs: { amount: { type: 'number', label: 'Amount', required: true } },
  blocks: {
    product: { kind: 'search_select', label: 'Product', options: [{ id: 'classic', label: 'Classic plan' }] },
  },
  outputs: { rate: { type: 'number', label: 'Rate' } },
  compute: ({ inputs: { amount } }) => ({ rate: amount / 2 }),
})

const size = fieldType({
  key: 'size',
  label: 'Size',
  blocks: { size: { kind: 'search_select', label: 'Size', options: [{ id: 'm', label: 'Medium' }] } },
  outputs: { chest: { type: 'number', label: 'Chest' } },
  compute: () => ({ chest: 96 }),
})

export async function openPartyWorld(): Promise<PartyWorld> {
  const world = await openWorld()
  const key = await createPrivateKey()
  const plugin = await openPlugin({ name: 'Loans', key, token: TOKEN, fieldTypes: [loan, size] })
  const site = await openForwarderSite(world, plugin)
  const company = await world.company()
  const account = new AccountClient({
    accessToken: () => Promise.resolve(company),
    pins: new Map(),
    fetch: site.fetch,
  })
  const { plugin: made } = await account.plugins.create({ base_url: site.pluginUrl, token: TOKEN })
  await account.plugins.refresh(made.id)
  const another = (): Promise<Service> => world.service(requestedFields(made.id), { company })
  const service = await another()
  const author = flowAuthor(service)
  const { flowId } = await author.published(definition(made.id))
  const { flowId: pricingId } = await author.published(pricing(made.id))
  const mara = await world.person()
  return {
    frontDoorUrl: world.frontDoor.url,
    fetch: site.fetch,
    async computed(path, body) {
      if (path !== '/call') return undefined
      const asked: unknown = JSON.parse(body)
      const request = getAt(asked, 'request')
      return (await plugin.handle({ method: 'POST', path, authorization: `Bearer ${TOKEN}`, body: { request } })).body
    },
    service,
    serviceKey: await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase),
    mara,
    maraKey: await AccountKey.fromPkcs8(mara.keys.privateKey.reveal()),
    account,
    flowId,
    pluginId: made.id,
    appId: await signInApp(service, made.id),
    redirectUri: REDIRECT,
    pricingId,
    wrapKeys: new Map(),
    another,
  }
}

/** What each service asks for. */
export function requestedFields(pluginId: string) {
  return [
    { slug: 'name', label: 'First name' },
    { slug: 'note', label: 'A note' },
    { slug: 'photo', label: 'Photo', type: 'photo' },
    { slug: 'shirt', type: 'plugin', one_time: true, plugin: { plugin_id: pluginId, field_type: 'size' } },
  ]
}

async function signInApp(service: Service, pluginId: string): Promise<string> {
  const { publicKey: public_key, encryptedPrivateKey: encrypted_private_key } = service
  const claims = [
    { name: 'mail', type: 'email' },
    { name: 'shirt', type: 'plugin', plugin: { plugin_id: pluginId, field_type: 'size' } },
  ]
  const body = { name: 'Shop', redirect_uris: [REDIRECT], claims, public_key, encrypted_private_key }
  const made = await bodyOf(service.company.portal('POST', '/api/account/oauth-apps', { body }), 201)
  return String(made['client_id'])
}

function definition(pluginId: string) {
  return {
    entry: 'ask',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
    ],
    nodes: [
      { key: 'ask', party: 'us', title: 'Amount', elements: [field('amount', 'number')] },
      {
        key: 'tell',
        party: 'customer',
        title: 'Offer',
        elements: [field('nick', 'text'), offerOf(pluginId)],
      },
    ],
    edges: [{ from: 'ask', to: 'tell', sort: 0, condition: null }],
    constants: [],
  }
}

/** One step of the company. */
function pricing(pluginId: string) {
  const elements = [field('amount', 'number'), offerOf(pluginId)]
  return {
    ...definition(pluginId),
    nodes: [{ key: 'ask', party: 'us', title: 'Amount', elements }],
    edges: [],
  }
}

function offerOf(pluginId: string) {
  const plugin = { plugin_id: pluginId, field_type: 'loan', inputs: { amount: 'amount' } }
  return { kind: 'plugin', slug: 'offer', label: 'Offer', required: true, plugin }
}

function field(slug: string, field_type: string) {
  return { kind: 'field', slug, field_type, label: slug, required: true }
}
