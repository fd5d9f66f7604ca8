import { newSecret } from '../lies/lie-case.ts'
import { all, type Journey } from './journey.ts'

/** What the backend of a company does. */
export const serviceJourneys: readonly Journey[] = [
  {
    name: 'reads a record',
    go: async ({ backend, facts, world }) => {
      const record = await backend.connections.get(facts.connectionId)
      const opened = await backend.values.decrypt(record, world.serviceKey)
      const refused = Object.values(opened).find((value) => value.kind === 'refused')
      if (refused?.kind === 'refused')
        throw Object.assign(new Error(refused.message), { name: 'refused', reason: refused.reason })
      return opened
    },
  },
  { name: 'lists records', handsOn: true, go: ({ backend }) => all(backend.connections.list()) },
  {
    name: 'reads the feed',
    handsOn: true,
    go: ({ backend }) => backend.changes.read('019a0000-0000-7000-8000-000000000001'),
  },
  { name: 'reads its fields', handsOn: true, go: ({ backend }) => backend.requestFields.read() },
  { name: 'reads the key of a person', go: ({ backend, world }) => backend.keys.read(world.mara.shareCode) },
  {
    name: 'reads the keys of persons',
    go: async ({ backend, world }) => [...(await backend.keys.readMany([world.mara.userId]))],
  },
  {
    name: 'starts a run',
    go: async ({ backend, world, facts }) => {
      const targets = { targets: { customer: { connection_id: facts.connectionId } } }
      return (await backend.flows.start(world.flowId, targets, world.serviceKey)).id
    },
  },
  {
    name: 'answers in a run',
    go: async ({ backend, world, facts }) =>
      (await backend.flows.answer(facts.ours, { amount: { value: 7 } }, world.serviceKey)).id,
  },
  {
    name: 'opens a run',
    go: async ({ backend, world, facts }) => {
      const run = await backend.flows.get(facts.done)
      return backend.flows.open(run, world.serviceKey)
    },
  },
  {
    name: 'asks a plugin as the company',
    go: async ({ backend, world, facts }) => {
      const offer = await backend.flows.plugin(facts.priced, 'offer', world.serviceKey, { amount: { value: 40 } })
      return { shown: offer.snapshot, options: await offer.options('product') }
    },
  },
  {
    name: 'writes to a customer',
    go: async ({ backend, facts, world }) =>
      (await backend.messages.send(facts.connectionId, newSecret(), world.serviceKey)).id,
  },
  {
    name: 'sends a document',
    go: async ({ backend, facts }) =>
      (
        await backend.documents.send({
          name: 'A letter',
          kind: 'document',
          target: { connection_id: facts.connectionId },
          value: newSecret(),
        })
      ).id,
  },
  { name: 'lists its documents', handsOn: true, go: ({ backend }) => all(backend.documents.list()) },
]

/** What the portal of a company does. */
export const officeJourneys: readonly Journey[] = [
  { name: 'reads its account', handsOn: true, go: ({ office }) => office.read() },
  { name: 'reads its key', handsOn: true, go: ({ office }) => office.readKey() },
  { name: 'lists services', handsOn: true, go: ({ office }) => all(office.services.list()) },
  { name: 'reads a service', handsOn: true, go: ({ office, world }) => office.services.read(world.service.serviceId) },
  {
    name: 'opens the key of a service',
    go: async ({ office, world: { service } }) =>
      (await office.services.openKey(service.serviceId, service.passphrase)).publicKey,
  },
  {
    name: 'lists its fields',
    handsOn: true,
    go: ({ office, world }) => office.requestFields.read(world.service.serviceId),
  },
  { name: 'lists sign-in apps', handsOn: true, go: ({ office }) => all(office.signInApps.list()) },
  { name: 'reads a sign-in app', handsOn: true, go: ({ office, world }) => office.signInApps.read(world.appId) },
  { name: 'lists plugins', handsOn: true, go: ({ office }) => all(office.plugins.list()) },
  { name: 'refreshes a plugin', go: ({ office, world }) => office.plugins.refresh(world.pluginId) },
  {
    name: 'lists webhooks',
    handsOn: true,
    go: ({ office, world }) => all(office.webhooks.list(world.service.serviceId)),
  },
  {
    name: 'makes a service',
    go: async ({ office }) => {
      const made = await office.services.create({ name: 'Short-lived', admin_email: 'desk@company.example' })
      if (made.recovery_error instanceof Error) throw made.recovery_error
      return 'made'
    },
  },
  {
    name: 'adds a delegate',
    go: async ({ office, world }) => {
      const delegate = { share_code: world.mara.shareCode, role: 'operator', services: [] } as const
      return (await office.delegates.create(delegate)).role
    },
  },
  { name: 'lists delegates', handsOn: true, go: ({ office }) => all(office.delegates.list()) },
]
