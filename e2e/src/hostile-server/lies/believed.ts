import { hashVerified, createCryptoPlatform } from '@sealpost/crypto'
import { answers, getAt } from '../edit.ts'
import type { HostileServer, Lie } from '../proxy.ts'
import { BORN, type Stage } from '../stage.ts'
import { eu, us } from './lie-case.ts'

/** A lie that no client can detect. SECURITY.md lists exactly these names. */
export interface BelievedLie {
  readonly name: string
  readonly server: (stage: Stage) => HostileServer
  readonly lie: (stage: Stage) => Lie | Promise<Lie>
  /** What the client believes in the end: something else with the lie than without it. */
  readonly act: (stage: Stage) => Promise<unknown>
}

const platform = createCryptoPlatform(globalThis)
const RECORD = /^\/api\/company-data\/connections\/[\w-]{36}$/

export const believedLies: readonly BelievedLie[] = [
  {
    name: 'The first key of a service that a device has never used.',
    server: us,
    lie: ({ operator }) => answers('GET', /^\/api\/company-connections\/lookup\//, { public_key: operator.publicKey }),
    act: async (stage) => (await stage.app('new').lookup(stage.code)).public_key,
  },
  {
    name: 'The first signer of a connection that a service has never read, if all its values are exchanged.',
    server: eu,
    lie: ({ captured }) => answers('GET', RECORD, { values: captured.ben.values, fields: captured.ben.fields }),
    act: async (stage) => {
      const service = stage.service('none')
      const opened = await service.values.decrypt(await service.connections.get(stage.connectionId), stage.serviceKey)
      return opened['born']?.kind === 'text' ? opened['born'].value : null
    },
  },
  {
    name: 'Who a customer is: display name, share code and account id.',
    server: eu,
    lie: () => answers('GET', RECORD, { display_name: 'Mallory' }),
    act: async (stage) => (await stage.service().connections.get(stage.connectionId)).display_name,
  },
  {
    name: 'Values, connections and events that are withheld or delayed.',
    server: eu,
    lie: () =>
      answers('GET', RECORD, {
        values: (values: unknown) => ({ born: getAt(values, 'born') }),
      }),
    act: async (stage) =>
      Object.keys((await stage.service().connections.get(stage.connectionId)).values)
        .toSorted()
        .join(),
  },
  {
    name: 'A verification by the platform itself, or by a provider whose key the service was not given.',
    server: eu,
    lie: async () => {
      const salt = 'cd'.repeat(16)
      return answers('GET', RECORD, {
        'values.born.verified_hash': await hashVerified(platform, salt, BORN),
        'values.born.verified_salt': salt,
        'values.born.verified_provider': 'platform_email',
        'values.born.verified_statement': undefined,
      })
    },
    act: async (stage) => {
      const service = stage.service('own', { demo_id: [stage.verifierKey] })
      const { values } = await service.connections.get(stage.connectionId)
      const place = { connectionId: stage.connectionId, slug: 'born' }
      const born = await service.values.decryptValue(values['born'] ?? {}, 'date_of_birth', stage.serviceKey, place)
      return born.attestedBy
    },
  },
  {
    name: 'The labels of requested fields: a service, or the server in its name, can ask for one thing and mean another.',
    server: us,
    lie: () =>
      answers('GET', /^\/api\/company-connections\/lookup\//, { 'request_fields.0.label': 'Your favourite colour' }),
    act: async (stage) => (await stage.app().lookup(stage.code)).request_fields[0]?.label,
  },
  {
    name: 'The own copy of a value: the server can seal another text to the public key of a person, who then reads it.',
    server: us,
    lie: async (stage) => {
      const { public_key: own } = await stage.app().me()
      const value = await stage.operator.seal(own ?? '', 'Mallory')
      return answers('GET', /^\/api\/contact-data\/[\w-]{36}$/, { value })
    },
    act: async (stage) => {
      const app = stage.app()
      const opened = await app.contactData.open(stage.field('last_name'))
      return opened.text
    },
  },
]
