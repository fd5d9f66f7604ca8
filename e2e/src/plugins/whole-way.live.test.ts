import { createPrivateKey, fieldType, openPlugin } from '@sealpost/plugin-kit'
import { AccountClient, AccountKey, CustomerClient, memoryPins, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { bodyOf, flowAuthor, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openForwarderSite } from './forwarder-site.ts'

const SOON = { pollSeconds: 0.05 }
const TOKEN = 'a-token-of-the-company'

const loan = fieldType({
  key: 'loan',
  label: 'Loan',
  inputs: {
    amount: { type: 'number', label: 'Amount', required: true },
    months: { type: 'number', label: 'Months', required: true },
  },
  blocks: {
    product: {
      kind: 'search_select',
      label: 'Product',
      options: ({ inputs }) => [
        { id: 'classic', label: 'Classic plan' },
        ...(Number(inputs['months']) <= 12 ? [{ id: 'express', label: 'Express plan' }] : []),
      ],
    },
  },
  outputs: { rate: { type: 'number', label: 'Rate' } },
  compute: ({ inputs: { amount, months } }) => ({ rate: amount / months }),
})

const size = fieldType({
  key: 'size',
  label: 'Size',
  blocks: { size: { kind: 'search_select', label: 'Size', options: [{ id: 'm', label: 'Medium' }] } },
  outputs: { chest: { type: 'number', label: 'Chest' } },
  compute: () => ({ chest: 96 }),
})

const world = await openWorld()
const plugin = await openPlugin({
  name: 'Loans',
  key: await createPrivateKey(),
  token: TOKEN,
  fieldTypes: [loan, size],
})
const site = await openForwarderSite(world, plugin)
const service = await world.service([{ slug: 'name' }])
const client = new ServiceClient({
  frontDoorUrl: world.frontDoor.url,
  ...service.client,
  pins: memoryPins(),
  fetch: site.fetch,
})
const key = await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase)
const mara = await world.person()
const app = new CustomerClient({
  accessToken: () => Promise.resolve(mara),
  key: await AccountKey.fromPkcs8(mara.keys.privateKey.reveal()),
  pins: memoryPins(),
  fetch: site.fetch,
})
const { id: connectionId } = await app.connect(service.code, { name: { value: 'Mara' } })

/** The company registers the plugin, with a wrong token first: nothing is stored then, and the error is shown. */
async function register(): Promise<string> {
  const account = new AccountClient({ accessToken: () => Promise.resolve(service.company), fetch: site.fetch })
  const { plugin: made } = await account.plugins.create({ base_url: site.pluginUrl, token: 'a-wrong-token' })
  expect(await account.plugins.refresh(made.id)).toEqual({ last_error: expect.stringMatching(/./) })
  await account.plugins.changeToken(made.id, TOKEN)
  expect(await account.plugins.refresh(made.id)).toEqual({ last_error: null })
  return made.id
}

const definition = (pluginId: string) => ({
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
      elements: [
        field('months', 'number'),
        {
          kind: 'plugin',
          slug: 'offer',
          label: 'Offer',
          required: true,
          plugin: { plugin_id: pluginId, field_type: 'loan', inputs: { amount: 'amount', months: 'months' } },
        },
      ],
    },
  ],
  edges: [{ from: 'ask', to: 'tell', sort: 0, condition: null }],
  constants: [],
})

function field(slug: string, field_type: string) {
  return { kind: 'field', slug, field_type, label: slug, required: true }
}

test('a person fills a plugin field through the forwarder, across a change of its key, and the company reads it', async () => {
  const { flowId } = await flowAuthor(service).published(definition(await register()))
  const { id } = await client.flows.start(flowId, { targets: { customer: { connection_id: connectionId } } }, key)
  const run = { id, connection_id: connectionId }
  await client.flows.answer(id, { amount: { value: 1200 } }, key)
  await app.flows.waitForTurn(run, SOON)

  const offer = await app.flows.plugin(run, 'offer', { months: { value: 12 } })
  expect(offer.snapshot).toMatchObject({ plugin_name: 'Loans', host: 'loans.example', label: 'Loan' })
  const { options } = await offer.options('product', 'express')
  expect(options).toEqual([{ id: 'express', label: 'Express plan' }])
  offer.pick('product', { id: 'express', label: 'Express plan' })
  expect(await offer.answer()).toMatchObject({ kind: 'answered', outputs: { rate: 100 } })

  await plugin.rotate(await createPrivateKey())
  const longer = { months: { value: 24 }, offer: { plugin: offer } }
  await expect(app.flows.answer(run, longer)).rejects.toMatchObject({
    problems: [{ slug: 'offer', reason: 'picks_invalid' }],
  })
  const [classic] = (await offer.options('product')).options
  expect(classic).toEqual({ id: 'classic', label: 'Classic plan' })
  offer.pick('product', classic ?? { id: '', label: '' })
  await app.flows.answer(run, longer)

  const done = await client.flows.waitForEnd(id, SOON)
  const { offer: opened } = await client.flows.open(done, key)
  expect(JSON.parse(opened !== undefined && 'text' in opened ? opened.text : '')).toEqual({
    plugin: 'Loans',
    type: 'loan',
    blocks: [{ key: 'product', kind: 'search_select', label: 'Product', id: 'classic', value: 'Classic plan' }],
    outputs: [{ key: 'rate', type: 'number', label: 'Rate', value: 50 }],
  })
  // The forwarder carried wrappers, and nothing that was asked or answered.
  expect(site.carried.length).toBeGreaterThan(8)
  for (const text of site.carried) expect(text).not.toMatch(/classic|express|product|reply_key/i)
})

test('the company fills a plugin field with its data client', async () => {
  const turned = { ...definition(await existing()), entry: 'tell', edges: [] }
  const [, tell] = turned.nodes
  const own = {
    ...turned,
    nodes: [{ ...tell, party: 'us', elements: [field('amount', 'number'), ...(tell?.elements ?? [])] }],
  }
  const { flowId } = await flowAuthor(service).published(own)
  const { id } = await client.flows.start(flowId, { targets: { customer: { connection_id: connectionId } } }, key)
  const answers = { amount: { value: 90 }, months: { value: 9 } }
  const offer = await client.flows.plugin(id, 'offer', key, answers)
  expect((await offer.options('product')).options).toHaveLength(2)
  offer.pick('product', { id: 'express', label: 'Express plan' })
  const run = await client.flows.answer(id, { ...answers, offer: { plugin: offer } }, key)
  expect(run.status).toBe('completed')
})

test('a person answers a request field by a plugin, before connecting and afterwards [FTYPE-43]', async () => {
  const own = await world.service([], { company: service.company })
  const row = {
    slug: 'shirt',
    type: 'plugin',
    one_time: true,
    plugin: { plugin_id: await existing(), field_type: 'size' },
  }
  await own.publish([row])
  const shirt = await app.plugin({ code: own.code, slug: 'shirt' })
  const [medium] = (await shirt.options('size')).options
  shirt.pick('size', medium ?? { id: '', label: '' })
  const answer = await shirt.answer()
  expect(answer).toMatchObject({ kind: 'answered', outputs: { chest: 96 } })
  const { id } = await app.connect(own.code, { shirt: { value: shirt.text ?? '' } })
  expect(JSON.parse(String(await own.value(id, 'shirt')))).toEqual(described)
  const again = await app.plugin({ connectionId: id, slug: 'shirt' })
  expect(await again.options('size', 'med')).toMatchObject({ options: [{ id: 'm' }] })
})

test('a person answers a claim of a sign-in app by a plugin, and consents [FTYPE-43]', async () => {
  const claim = { name: 'shirt', type: 'plugin', plugin: { plugin_id: await existing(), field_type: 'size' } }
  const wanted = { name: 'Shop', redirect_uris: ['https://shop.example/cb'], claims: [claim] }
  const { publicKey: public_key, encryptedPrivateKey: encrypted_private_key } = service
  const keys = { public_key, encrypted_private_key }
  const made = await bodyOf(
    service.company.portal('POST', '/api/account/oauth-apps', { body: { ...wanted, ...keys } }),
    201,
  )
  const clientId = String(made['client_id'])
  const shirt = await app.plugin({ clientId, claim: 'shirt' })
  const [medium] = (await shirt.options('size')).options
  shirt.pick('size', medium ?? { id: '', label: '' })
  await shirt.answer()

  const authorizations = app.authorizations(world.frontDoor.url)
  const request = {
    client_id: clientId,
    redirect_uri: 'https://shop.example/cb',
    response_type: 'code',
    state: 'state-of-the-app',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  } as const
  const record = await authorizations.read(request)
  expect(record.claims).toMatchObject([{ name: 'shirt', type: 'plugin' }])
  await authorizations.approve(request, record, { claims: { shirt: { value: shirt.text ?? '' } } })
  expect(JSON.parse(shirt.text ?? '')).toEqual(described)
  await expect(app.plugin({ clientId, claim: 'none' })).rejects.toMatchObject({ key: 'plugin.not_found' })
})

const described = {
  plugin: 'Loans',
  type: 'size',
  blocks: [{ key: 'size', kind: 'search_select', label: 'Size', id: 'm', value: 'Medium' }],
  outputs: [{ key: 'chest', type: 'number', label: 'Chest', value: 96 }],
}

/** The plugin that the first test has registered. */
async function existing(): Promise<string> {
  const { items } = await bodyOf(service.company.portal('GET', '/api/account/plugins'))
  return String((items as { id: string }[])[0]?.id)
}
