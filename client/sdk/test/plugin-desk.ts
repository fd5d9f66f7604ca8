import { createPublicKey } from 'node:crypto'
import { createPrivateKey, fieldType, openPlugin, type Plugin } from '@sealpost/plugin-kit'
import type { FlowAnswers, KeyPins, PluginField } from '../src/index.ts'
import { keyMembers, PLUGIN, startForwarder, type StubForwarder } from './stub-forwarder.ts'
import { COMPANY, definition, field, newUser, PARTNER, PERSON, RUN, runRoutes, runWith } from './stub-run.ts'
import { newServiceKey, startStubService, type StubService } from './stub-service.ts'

export const service = await newServiceKey()
export const person = await newUser()
/** Private keys of the plugin: the present one, and one to rotate to. */
export const keys = [await createPrivateKey(), await createPrivateKey()] as const

/** base64 SPKI, as the wire has it. */
export function publicKeyOf(pem: string): string {
  return createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64')
}

/** Calls of `compute`, with its inputs. */
export const computed: object[] = []

const loan = fieldType({
  key: 'loan',
  label: 'Loan',
  inputs: {
    amount: { type: 'number', label: 'Amount', required: true },
    married: { type: 'boolean', label: 'Married' },
  },
  blocks: {
    product: {
      kind: 'search_select',
      label: 'Product',
      options: ({ inputs }) =>
        [
          { id: 'small', label: 'Small', most: 100 },
          { id: 'large', label: 'Large', most: 1000 },
        ].filter(({ most }) => Number(inputs['amount']) <= most),
    },
    plan: {
      kind: 'search_select',
      label: 'Plan',
      dependsOn: ['product'],
      options: ({ picks }) => ['monthly', 'yearly'].map((id) => ({ id: `${picks['product']}-${id}`, label: id })),
    },
    months: { kind: 'number', label: 'Months' },
  },
  outputs: { rate: { type: 'number', label: 'Rate' }, note: { type: 'text', label: 'Note' } },
  compute({ inputs, values }) {
    computed.push(inputs)
    return { rate: inputs.amount / values.months, note: null }
  },
})

const openLoans = (): Promise<Plugin> => openPlugin({ name: 'Loans today', key: keys[0], fieldTypes: [loan] })

const snapshot = {
  plugin_name: 'Loans',
  host: 'loans.example',
  label: 'Loan',
  blocks: [
    { key: 'product', kind: 'search_select', label: 'Product' },
    { key: 'plan', kind: 'search_select', label: 'Plan', depends_on: ['product'] },
    { key: 'months', kind: 'number', label: 'Months' },
  ],
  inputs: [
    { key: 'amount', type: 'number', label: 'Amount', required: true },
    { key: 'married', type: 'boolean', label: 'Married', required: false },
  ],
  outputs: [
    { key: 'rate', type: 'number', label: 'Rate' },
    { key: 'note', type: 'text', label: 'Note' },
  ],
}

const wiring = { amount: 'double', married: 'family' }
const plugin = (inputs: object) => ({ plugin_id: PLUGIN, field_type: 'loan', snapshot, inputs })

/** The customer gave `income` and `family` before; the company's step asks for `amount` and the plugin. */
const pinned = (inputs: object, fields: readonly object[], isRequired: boolean) =>
  definition({
    nodes: [
      {
        key: 'before',
        party: 'customer',
        title: '',
        elements: [field('income', { field_type: 'number' }), field('family')],
      },
      {
        key: 'first',
        party: 'us',
        title: 'Offer',
        elements: [
          field('amount', { field_type: 'number' }),
          ...fields,
          { kind: 'plugin', slug: 'offer', label: 'Offer', required: isRequired, plugin: plugin(inputs) },
        ],
      },
    ],
    edges: [{ from: 'before', to: 'first', sort: 1 }],
    constants: [
      { key: 'double', label: '', result_type: 'number', expr: math('amount'), shown_on: [] },
      { key: 'from_income', label: '', result_type: 'number', expr: math('income'), shown_on: [] },
    ],
  })

function math(key: string) {
  const two = { type: 'lit', value_type: 'number', value: 2 }
  return { type: 'math', op: 'mul', args: [{ type: 'ref', key }, two] }
}

export interface Desk extends AsyncDisposable {
  readonly stub: StubService
  readonly forwarder: StubForwarder
  readonly loans: Plugin
  /** Opens the field with an amount that is typed in the step, and other answers. */
  open(amount?: number, answers?: FlowAnswers): Promise<PluginField>
}

export interface DeskOptions {
  readonly inputs?: object
  readonly publicKey?: string | null
  readonly run?: object
  /** Further fields of the step. */
  readonly fields?: readonly object[]
  readonly pins?: KeyPins
  readonly acceptNewPluginKeys?: boolean
  /** Whether the field has to be answered; it has unless told. */
  readonly isRequired?: boolean
  /** Another description of the field than the pinned one. */
  readonly spec?: object
}

export async function openDesk({
  inputs = wiring,
  publicKey,
  run = {},
  fields = [],
  spec = {},
  isRequired = true,
  ...client
}: DeskOptions = {}): Promise<Desk> {
  const loans = await openLoans()
  const forwarder = await startForwarder(loans)
  const given = { family: 'true', income: '40' }
  const answers = await Promise.all(
    Object.entries(given).map(async ([slug, text]) => ({
      slug,
      for_user_id: COMPANY,
      value: await service.seal(text),
    })),
  )
  const keyOfPass = () => (publicKey === undefined ? keyMembers(loans) : { public_key: publicKey })
  let passes = 0
  const stub = await startStubService(
    runRoutes(
      { [PERSON]: person.publicKey, [PARTNER]: person.publicKey },
      () => runWith(pinned(inputs, fields, isRequired), { answers, ...run }),
      ({ path }) => {
        if (!path.endsWith('/plugin-pass')) return null
        passes += 1
        const specs = { offer: { ...plugin(inputs), ...spec } }
        const json = {
          pass: `pass-${passes}`,
          forwarder_url: forwarder.url,
          plugins: [{ id: PLUGIN, ...keyOfPass() }],
          specs,
        }
        return { status: 200, json }
      },
    ),
    client,
  )
  return {
    stub,
    forwarder,
    loans,
    open: (amount = 50, more = {}) =>
      stub.client.flows.plugin(RUN, 'offer', service.key, { amount: { value: amount }, ...more }),
    async [Symbol.asyncDispose]() {
      await stub[Symbol.asyncDispose]()
      await forwarder[Symbol.asyncDispose]()
    },
  }
}

export const passesRead = ({ stub }: Desk): number =>
  stub.region.received.filter(({ path }) => path.endsWith('/plugin-pass')).length
export const reasonOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)

/** Picks the first option of each block. */
export async function fillIn(offer: PluginField): Promise<void> {
  for (const block of ['product', 'plan']) {
    const [first] = (await offer.options(block)).options
    if (first !== undefined) offer.pick(block, first)
  }
  offer.fill('months', 10)
}
