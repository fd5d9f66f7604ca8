import { pngWith } from '../../sharing/pictures.ts'
import { answers, getAt } from '../edit.ts'
import type { Lie } from '../proxy.ts'
import type { Stage } from '../stage.ts'
import { keyChanged, type LieCase, newSecret, untrusted, us } from './lie-case.ts'

const ACCOUNT = /^\/api\/account$/
const LIST = /^\/api\/company-connections$/
const ONE = /^\/api\/company-connections\/[\w-]{36}$/

const putName = (stage: Stage) => stage.app().contactData.put(stage.field('first_name'), newSecret())
const putNameOnNewDevice = (stage: Stage) => stage.app('new').contactData.put(stage.field('first_name'), newSecret())
const putPhoto = async (stage: Stage) => {
  const photo = { bytes: pngWith(newSecret()), mimeType: 'image/png', originalName: 'me.png' }
  return stage.app().contactData.put(stage.field('photo'), { file: photo })
}
const remap = (stage: Stage) => stage.app().connections.remap(stage.connectionId, { note: { value: newSecret() } })

/** Changes Ana's own connection in the list. */
function ofAna(stage: Stage, changes: (connection: unknown) => unknown): Lie {
  return answers('GET', LIST, {
    'connections.*': (connection: unknown) =>
      getAt(connection, 'id') === stage.connectionId ? changes(connection) : connection,
  })
}

function withMembers(connection: unknown, members: Readonly<Record<string, unknown>>): unknown {
  return typeof connection === 'object' ? { ...connection, ...members } : connection
}

/** One more connection in the list: Ana's own with these members. */
function added(stage: Stage, change: (own: unknown) => unknown): Lie {
  return answers('GET', LIST, {
    connections: (all: unknown) => {
      const list: readonly unknown[] = Array.isArray(all) ? all : []
      const own = list.find((connection) => getAt(connection, 'id') === stage.connectionId)
      return [...list, change(own)]
    },
  })
}

const STRANGE_ID = '019a0000-0000-7000-8000-00000000ffff'

function toOperator(stage: Stage, connection: unknown): unknown {
  const service = getAt(connection, 'services.0')
  return withMembers(connection, {
    services: [withMembers(service, { public_key: stage.operator.publicKey })],
  })
}

/** What decides whether and to which key the device of a person seals. */
export const sealingLies: readonly LieCase[] = [
  {
    name: 'the account of a person is a company',
    server: us,
    lie: () => answers('GET', ACCOUNT, { user_type: 'company' }),
    act: putName,
    refused: untrusted('account_type'),
  },
  {
    name: 'the account has no type',
    server: us,
    lie: () => answers('GET', ACCOUNT, { user_type: null }),
    act: putName,
    refused: untrusted('account_type'),
  },
  {
    name: "the own public key is the operator's",
    server: us,
    lie: ({ operator }) => answers('GET', ACCOUNT, { public_key: operator.publicKey }),
    act: putName,
    refused: untrusted('own_key'),
  },
  {
    name: 'the account has no public key',
    server: us,
    lie: () => answers('GET', ACCOUNT, { public_key: null }),
    act: putName,
    refused: untrusted('own_key'),
  },
  {
    name: 'a private field is not private',
    server: us,
    lie: () => answers('GET', /^\/api\/contact-data\/[\w-]{36}$/, { is_private: false }),
    act: async (stage) => {
      await putPhoto(stage)
      return putPhoto(stage)
    },
    refused: untrusted('privacy'),
  },
  {
    name: 'a text field is a photo',
    server: us,
    lie: () =>
      answers('GET', /^\/api\/contact-fields$/, {
        'items.*': (item: unknown) =>
          getAt(item, 'slug') === 'first_name' ? withMembers(item, { type: 'photo' }) : item,
      }),
    act: (stage) => stage.app().contactData.put(stage.field('first_name'), newSecret(), { is_private: false }),
    refused: { name: 'ValueError' },
  },
  {
    name: 'there is one more connection, of the operator',
    server: us,
    lie: (stage) =>
      added(stage, (own) => withMembers(toOperator(stage, own), { id: STRANGE_ID, device_record: undefined })),
    act: putName,
    refused: untrusted('connection_unknown'),
  },
  {
    name: 'there is one more connection, with the record of a true one',
    server: us,
    lie: (stage) => added(stage, (own) => withMembers(toOperator(stage, own), { id: STRANGE_ID })),
    act: putName,
    refused: keyChanged,
  },
  {
    name: 'there is one more connection, on a device that knows none',
    server: us,
    lie: (stage) =>
      added(stage, (own) => withMembers(toOperator(stage, own), { id: STRANGE_ID, device_record: undefined })),
    act: putNameOnNewDevice,
    refused: untrusted('connection_unknown'),
  },
  {
    name: 'the key of a connected service is another one',
    server: us,
    lie: (stage) => ofAna(stage, (own) => toOperator(stage, own)),
    act: putName,
    refused: keyChanged,
  },
  {
    name: 'the key of a connected service is another one, on a new device',
    server: us,
    lie: (stage) => ofAna(stage, (own) => toOperator(stage, own)),
    act: putNameOnNewDevice,
    refused: keyChanged,
  },
  {
    name: 'the record of a connection is missing, on a new device',
    server: us,
    lie: (stage) => ofAna(stage, (own) => withMembers(own, { device_record: undefined })),
    act: putNameOnNewDevice,
    refused: untrusted('connection_unknown'),
  },
  {
    name: 'the record of a connection has another character',
    server: us,
    lie: (stage) =>
      ofAna(stage, (own) => {
        const record = String(getAt(own, 'device_record'))
        return withMembers(own, { device_record: `${record.slice(0, -2)}${record.endsWith('AA') ? 'BB' : 'AA'}` })
      }),
    act: putName,
    refused: untrusted('connection_forged'),
  },
  {
    name: 'the record of a connection is that of another account',
    server: us,
    lie: (stage) => ofAna(stage, (own) => withMembers(own, { device_record: stage.captured.foreignRecord })),
    act: putNameOnNewDevice,
    refused: untrusted('connection_forged'),
  },
  {
    name: 'the record of a connection is that of another connection',
    server: us,
    lie: (stage) => ofAna(stage, (own) => withMembers(own, { device_record: stage.captured.bankRecord })),
    act: putName,
    refused: untrusted('connection_outdated'),
  },
  {
    name: 'the record of a connection is an older one',
    server: us,
    lie: (stage) => ofAna(stage, (own) => withMembers(own, { device_record: stage.captured.olderRecord })),
    act: putName,
    refused: untrusted('connection_outdated'),
  },
  {
    name: 'an ended connection still exists',
    server: us,
    lie: (stage) =>
      added(stage, (own) =>
        withMembers(own, { id: stage.captured.ended.id, device_record: stage.captured.ended.device_record }),
      ),
    act: putName,
    refused: untrusted('connection_ended'),
  },
  {
    name: 'a service follows a field that it was never given',
    server: us,
    lie: (stage) =>
      ofAna(stage, (own) => {
        const mapping = getAt(own, 'services.0.mappings.0')
        const more = withMembers(mapping, { slug: 'nick', live: true, source_field_id: stage.field('last_name') })
        const services = [withMembers(getAt(own, 'services.0'), { mappings: [more] })]
        return withMembers(own, { services })
      }),
    act: (stage) => stage.app().contactData.put(stage.field('last_name'), newSecret()),
    refused: untrusted('mapping_unknown'),
  },
  {
    name: 'a field feeds another slot than the person chose',
    server: us,
    lie: (stage) =>
      ofAna(stage, (own) => {
        const mapping = { live: true, slug: 'nick', source_field_id: stage.field('first_name') }
        const first = withMembers(getAt(own, 'services.0.mappings.0'), mapping)
        return withMembers(own, { services: [withMembers(getAt(own, 'services.0'), { mappings: [first] })] })
      }),
    act: putName,
    refused: untrusted('mapping_unknown'),
  },
  {
    name: 'the key of the service is another one when answers are changed',
    server: us,
    lie: ({ operator }) => answers('GET', ONE, { 'services.0.public_key': operator.publicKey }),
    act: remap,
    refused: keyChanged,
  },
  {
    name: 'the record is an older one when answers are changed',
    server: us,
    lie: ({ captured }) => answers('GET', ONE, { device_record: captured.olderRecord }),
    act: remap,
    refused: untrusted('connection_outdated'),
  },
  {
    name: 'the key of the service is another one when a consent is given',
    server: us,
    lie: ({ operator }) => answers('GET', ONE, { 'services.0.public_key': operator.publicKey }),
    act: (stage) => stage.app().consents.provide(stage.connectionId, { nick: { value: newSecret() } }),
    refused: keyChanged,
  },
]
