import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { type CustomerClient, memoryPins, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { flowAuthor, type Person, type Service, waitUntil, type World } from '@sealpost/testkit'
import { clientOf } from './client-of.ts'
import { SOON_MS } from './office.ts'

/** A company in `eu` that runs forms with a person in `us`, who is connected to it. */
export interface Forms {
  readonly service: Service
  readonly client: ServiceClient
  readonly key: ServiceKey
  readonly person: Person
  readonly app: CustomerClient
  readonly connectionId: string
  publish(definition: object): Promise<string>
  /** Starts a run and answers the company's first step, if it has one; then it is the person's turn. */
  start(flowId: string, first?: Readonly<Record<string, number | string>>): Promise<string>
}

export async function openForms(world: World): Promise<Forms> {
  const company = await world.company({ region: 'eu', displayName: 'Northwind Clinic' })
  const service = await world.service([{ slug: 'name', label: 'First name' }], { company, name: 'Housing' })
  const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
  const app = clientOf(person)
  await app.contactData.put(person.field('first_name'), 'Mara')
  const { id: connectionId } = await app.connect(service.code, { name: { from: person.field('first_name') } })
  return formsOf(world, service, person, connectionId)
}

export async function formsOf(world: World, service: Service, person: Person, connectionId: string): Promise<Forms> {
  const client = new ServiceClient({ frontDoorUrl: world.frontDoor.url, ...service.client, pins: memoryPins() })
  const key = await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase)
  const app = clientOf(person)
  return {
    service,
    client,
    key,
    person,
    app,
    connectionId,
    publish: async (definition) => (await flowAuthor(service).published(definition)).flowId,
    async start(flowId, first) {
      const targets = { customer: { connection_id: connectionId } }
      const { id } = await client.flows.start(flowId, { targets }, key)
      if (first !== undefined) {
        const answers = Object.entries(first).map(([slug, value]) => [slug, { value }] as const)
        await client.flows.answer(id, Object.fromEntries(answers), key)
      }
      const isThere = async () => (await app.flows.list(connectionId)).some((run) => run.id === id)
      await waitUntil('the run has reached the person', SOON_MS, isThere)
      await app.flows.waitForTurn({ id, connection_id: connectionId }, { pollSeconds: 0.1 })
      return id
    },
  }
}

const PARTIES = [
  { key: 'us', label: 'Landlord', type: 'owner' },
  { key: 'customer', label: 'Tenant', type: 'person' },
]

export function field(slug: string, label: string, more: object = {}): object {
  return { kind: 'field', slug, field_type: 'text', label, required: true, ...more }
}

const number = (value: number): object => ({ type: 'lit', value_type: 'number', value })
const ref = (key: string): object => ({ type: 'ref', key })

const ABOUT = [
  {
    kind: 'text',
    body: 'Dear {{customer.name}}, the rent is [b]{{rent}}[/b] a month. You want {{months}} months. [a href=https://northwind.example/terms]Terms[/a]',
  },
  { kind: 'image', asset_key: 'plan', alt: 'A plan of the flat' },
  field('nick', 'How we call you', { link: 'allowed', help: 'On the door bell.' }),
  field('kind', 'What you look for', {
    field_type: 'select',
    options: [
      { value: 'flat', label: 'A flat' },
      { value: 'room', label: 'A room' },
      { value: 'house', label: 'A house', available_if: { field: 'rent', op: 'gt', value: 2000 } },
    ],
  }),
  field('pets', 'Who moves in with you', {
    field_type: 'multiselect',
    required: false,
    options: [
      { value: 'dog', label: 'A dog' },
      { value: 'cat', label: 'A cat' },
    ],
  }),
  field('dog_name', 'What the dog is called', { show_if: { field: 'pets', op: 'contains', value: 'dog' } }),
  field('start', 'First day', { field_type: 'date', min: { type: 'today' } }),
  field('months', 'Months', { field_type: 'integer', default: number(12), min: number(6), max: number(36) }),
  field('home', 'Where you live now', { field_type: 'address', required: false }),
]

const COMPUTED = [
  {
    key: 'total',
    label: 'Rent in total',
    result_type: 'number',
    expr: { type: 'math', op: 'mul', args: [ref('rent'), ref('months')] },
    shown_on: ['about'],
  },
  {
    key: 'days_until',
    label: '',
    result_type: 'number',
    expr: { type: 'datediff', unit: 'days', from: { type: 'today' }, to: ref('start') },
    shown_on: ['about'],
  },
]

/** Two steps of the person in a row, the second only for a long lease; then the company goes on. */
export function lease(): object {
  return {
    entry: 'offer',
    output_mode: 'data_only',
    parties: PARTIES,
    nodes: [
      { key: 'offer', party: 'us', title: 'Offer', elements: [field('rent', 'Rent', { field_type: 'number' })] },
      {
        key: 'about',
        party: 'customer',
        title: 'Your lease',
        elements: ABOUT,
      },
      { key: 'long', party: 'customer', title: 'A long lease', elements: [field('why', 'Why so long?')] },
      { key: 'check', party: 'us', title: 'Check', elements: [field('key_number', 'Number of the key')] },
    ],
    edges: [
      { from: 'offer', to: 'about', sort: 0, condition: null },
      { from: 'about', to: 'long', sort: 0, condition: { field: 'months', op: 'ge', value: 24 } },
      { from: 'about', to: 'check', sort: 1, condition: null },
      { from: 'long', to: 'check', sort: 0, condition: null },
    ],
    constants: COMPUTED,
  }
}

/** The paper that the person brings to `contract`. */
export const PAPER = {
  bytes: templatePdf({ contents: [textAt(60, 760, '(Agreement with {{mail}}) Tj')] }),
  mimeType: 'application/pdf',
  originalName: 'agreement.pdf',
}

/** The person answers alone, with a mail address and a PDF that becomes the document. */
export function contract(link: 'verified' | 'allowed'): object {
  return {
    entry: 'sign_up',
    output_mode: 'document',
    parties: PARTIES,
    nodes: [
      {
        key: 'sign_up',
        party: 'customer',
        title: 'Sign up',
        elements: [
          field('mail', 'Your e-mail address', { field_type: 'email', link }),
          field('paper', 'The agreement', { field_type: 'pdf_document', link: 'allowed' }),
        ],
        language_party: 'customer',
        outputs: [
          {
            output_key: 'agreement',
            name: 'Agreement',
            rules: [
              {
                source_field: 'paper',
                condition: null,
                languages: 'all',
                signers: [
                  { party: 'customer', action: 'sign' },
                  { party: 'us', action: 'sign' },
                ],
              },
            ],
          },
        ],
      },
    ],
    edges: [],
    constants: [],
  }
}

/** A server of the company offers towns of a country, then streets of a town, and computes a fee. */
export function delivery(pluginId: string): object {
  return {
    entry: 'ask',
    output_mode: 'data_only',
    parties: PARTIES,
    nodes: [
      {
        key: 'ask',
        party: 'customer',
        title: 'Delivery',
        elements: [
          field('weight', 'Weight in kilograms', { field_type: 'number' }),
          {
            kind: 'plugin',
            slug: 'place',
            label: 'Where to',
            required: true,
            plugin: { plugin_id: pluginId, field_type: 'place', inputs: { weight: 'weight' } },
          },
        ],
      },
      {
        key: 'confirm',
        party: 'us',
        title: 'Confirm',
        elements: [field('ready', 'Ready')],
      },
    ],
    edges: [{ from: 'ask', to: 'confirm', sort: 0, condition: null }],
    constants: [],
  }
}

/** As another device would: the address is confirmed by a mailed code. */
export async function verifyMail(world: World, { person, app }: Forms): Promise<void> {
  const mail = person.field('email')
  await app.contactData.put(mail, person.email, { exact: true })
  const { verification_id: id } = await app.verifications.begin(mail, 'platform_email')
  await app.verifications.confirm(mail, id, { code: await world.mail.waitForCode(person.email, 'verify') })
}
