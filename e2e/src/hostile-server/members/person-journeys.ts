import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { pngWith } from '../../sharing/pictures.ts'
import { getAt } from '../edit.ts'
import { newSecret } from '../lies/lie-case.ts'
import { all, type Clients, type Journey } from './journey.ts'

const first = ({ world }: Clients): string => world.mara.field('first_name')
const runOf = ({ facts }: Clients, id: string) => ({ id, connection_id: facts.connectionId })

/** What a person's device does. */
export const personJourneys: readonly Journey[] = [
  { name: 'own account', handsOn: true, go: ({ app }) => app.me() },
  { name: 'own keys', handsOn: true, go: ({ app }) => app.readKeys() },
  { name: 'profile', handsOn: true, go: ({ app }) => app.readProfile() },
  {
    name: 'writes a value',
    go: async (clients) => (await clients.app.contactData.put(first(clients), newSecret())).field_id,
  },
  {
    name: 'writes a picture',
    go: async ({ app, facts }) => {
      const file = { bytes: pngWith(newSecret()), mimeType: 'image/png', originalName: 'own.png' }
      return (await app.contactData.put(facts.photoId, { file }, { is_private: true })).field_id
    },
  },
  { name: 'opens a value', go: async (clients) => (await clients.app.contactData.open(first(clients))).text },
  { name: 'opens a picture', go: async ({ app, facts }) => app.contactData.open(facts.photoId) },
  { name: 'lists values', handsOn: true, go: ({ app }) => all(app.contactData.list()) },
  { name: 'lists fields', handsOn: true, go: ({ app }) => all(app.contactFields.list()) },
  { name: 'looks a service up', handsOn: true, go: ({ app, facts }) => app.lookup(facts.otherCode) },
  {
    name: 'connects',
    go: async ({ app, facts }) => (await app.connect(facts.otherCode, { name: { value: newSecret() } })).id,
  },
  { name: 'lists connections', handsOn: true, go: ({ app }) => all(app.connections.list()) },
  {
    name: 'reads a connection',
    go: async ({ app, facts }) => {
      const connection = await app.connections.get(facts.connectionId)
      return app.connections.typedValues(connection)
    },
  },
  {
    name: 'changes an answer',
    go: async ({ app, facts }) =>
      (await app.connections.remap(facts.connectionId, { note: { value: newSecret() } })).id,
  },
  { name: 'lists consents', handsOn: true, go: ({ app }) => all(app.consents.list()) },
  {
    name: 'gives what is asked later',
    go: async ({ app, facts }) =>
      (await app.consents.provide(facts.connectionId, { later: { value: newSecret() } })).id,
  },
  { name: 'reads the key of a service', go: ({ app, world }) => app.keys.readOfService(world.service.code) },
  {
    name: 'reads the key of a company',
    go: ({ app, world }) => app.keys.read(world.service.code.split('/')[0] ?? ''),
  },
  {
    name: 'asks a plugin before connecting',
    go: async ({ app, facts }) => {
      const shirt = await app.plugin({ code: facts.otherCode, slug: 'shirt' })
      return { shown: shirt.snapshot, options: await shirt.options('size') }
    },
  },
  {
    name: 'asks a plugin in a connection',
    go: async ({ app, facts }) => {
      const shirt = await app.plugin({ connectionId: facts.connectionId, slug: 'shirt' })
      return { shown: shirt.snapshot, options: await shirt.options('size') }
    },
  },
  {
    name: 'asks a plugin for a claim',
    go: async ({ app, world }) => {
      const shirt = await app.plugin({ clientId: world.appId, claim: 'shirt' })
      return { shown: shirt.snapshot, options: await shirt.options('size') }
    },
  },
  {
    name: 'takes a turn',
    go: async (clients) => {
      const { app, facts } = clients
      const run = runOf(clients, facts.theirs)
      const offer = await app.flows.plugin(run, 'offer', {})
      const [classic] = (await offer.options('product')).options
      offer.pick('product', classic ?? { id: '', label: '' })
      await app.flows.answer(run, { nick: { value: newSecret() }, offer: { plugin: offer } })
      return { shown: offer.snapshot, outputs: await offer.answer() }
    },
  },
  {
    name: 'reads a run',
    go: async ({ app, facts }) => {
      return app.flows.open(await app.flows.get(facts.connectionId, facts.done))
    },
  },
  { name: 'lists runs', handsOn: true, go: ({ app, facts }) => app.flows.list(facts.connectionId) },
  { name: 'signs in', go: signIn },
  {
    name: 'writes a message',
    go: async ({ app, facts }) => (await app.messages.send(facts.connectionId, newSecret())).id,
  },
  {
    name: 'reads messages',
    go: async ({ app, facts }) => {
      const texts: (string | null)[] = []
      for await (const message of app.messages.list(facts.connectionId)) texts.push(await app.messages.open(message))
      return texts
    },
  },
  { name: 'lists documents', handsOn: true, go: ({ app }) => all(app.documents.list()) },
  {
    name: 'opens documents',
    go: async ({ app }) => {
      const opened: unknown[] = []
      for await (const { connection_id: at, id } of app.documents.list())
        opened.push(at === null ? null : await app.documents.open(at, id))
      return opened
    },
  },
  {
    name: 'accepts a document',
    go: async ({ app, facts }) =>
      (await app.documents.accept(await app.documents.open(facts.connectionId, facts.offerId))).status,
  },
  {
    name: 'derives the keys of the password',
    go: async ({ world, fetch }) => {
      const { email, password } = world.mara
      const answer = await fetch(`${world.frontDoorUrl}/api/session/params?email=${encodeURIComponent(email)}`)
      const { wrapKey } = await deriveLogin(password, getAt(await answer.json(), 'kdf'))
      // The first one is the honest one.
      if (!world.wrapKeys.has(email)) world.wrapKeys.set(email, wrapKey)
      return 'derived'
    },
  },
  {
    name: 'opens the own key',
    go: async ({ app, world }) => {
      const wrapKey = world.wrapKeys.get(world.mara.email)
      if (wrapKey === undefined) throw new Error('no password was derived before')
      await openPrivateKey((await app.readKeys()).encrypted_private_key, wrapKey)
      return 'opened'
    },
  },
]

async function signIn({ app, world }: Clients): Promise<unknown> {
  const authorizations = app.authorizations(world.frontDoorUrl)
  const request = {
    client_id: world.appId,
    redirect_uri: world.redirectUri,
    response_type: 'code',
    state: 'state-of-the-app',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  } as const
  const record = await authorizations.read(request)
  return authorizations.approve(request, record, {
    claims: { mail: { value: `${newSecret().replaceAll(' ', '-')}@post.example` } },
  })
}
