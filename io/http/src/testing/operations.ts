import { defineOperation } from '@sealpost/protocol'
import Type from 'typebox'

const Id = Type.Object({ id: Type.String({ pattern: '^[0-9a-f-]{36}$' }) })
const Thing = Type.Object({
  id: Type.String(),
  name: Type.String(),
  count: Type.Integer(),
  note: Type.Union([Type.String(), Type.Null()]),
  values: Type.Record(Type.String(), Type.String()),
})
const common = { document: 'company-data', summary: 'For tests', callers: ['service_client'], rate: 'data' } as const

export const readThing = defineOperation({
  ...common,
  id: 'test.read_thing',
  method: 'GET',
  path: '/api/things/{id}',
  params: Id,
  success: { status: 200, about: 'The thing', body: Thing },
  errors: ['services.not_found'],
})

export const listThings = defineOperation({
  ...common,
  id: 'test.list_things',
  method: 'GET',
  path: '/api/things',
  query: Type.Object({
    limit: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,2}$' })),
    cursor: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  success: { status: 200, about: 'A page', body: Type.Object({ total: Type.Integer(), items: Type.Array(Thing) }) },
  errors: [],
})

export const readTagged = defineOperation({
  ...common,
  id: 'test.read_tagged',
  method: 'GET',
  path: '/api/tagged',
  success: { status: 200, about: 'A list', body: Type.Array(Type.String()), revalidates: true },
  errors: [],
})

export const createThing = defineOperation({
  ...common,
  id: 'test.create_thing',
  method: 'POST',
  path: '/api/things',
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 50 }),
    count: Type.Optional(Type.Integer({ minimum: 0 })),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 5 })),
  }),
  creates: true,
  onceOnly: ['client_secret'],
  maxBodyBytes: 4096,
  success: {
    status: 201,
    about: 'The new thing',
    body: Type.Object({ id: Type.String(), client_secret: Type.Union([Type.String(), Type.Null()]) }),
  },
  errors: ['services.client_exists'],
})

export const changeThing = defineOperation({
  ...common,
  id: 'test.change_thing',
  method: 'PUT',
  path: '/api/things/{id}',
  params: Id,
  level: 'basic',
  body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
  success: { status: 200, about: 'The thing', body: Thing },
  errors: ['services.not_found', 'services.config_conflict'],
})

export const cancelThing = defineOperation({
  ...common,
  id: 'test.cancel_thing',
  method: 'POST',
  path: '/api/things/{id}/cancel',
  params: Id,
  body: Type.Object({ reason: Type.Optional(Type.String()) }),
  allowsEmptyBody: true,
  success: { status: 200, about: 'The thing', body: Thing },
  errors: ['services.not_found'],
})

export const deleteThing = defineOperation({
  ...common,
  id: 'test.delete_thing',
  method: 'DELETE',
  path: '/api/things/{id}',
  params: Id,
  success: { status: 204, about: 'Gone' },
  errors: ['services.not_found'],
})

export const drainChanges = defineOperation({
  ...common,
  id: 'test.drain_changes',
  method: 'GET',
  path: '/api/changes',
  rate: 'changes',
  drains: true,
  success: { status: 200, about: 'Changes', body: Type.Object({ changes: Type.Array(Type.String()) }) },
  errors: [],
})

export const readFile = defineOperation({
  ...common,
  id: 'test.read_file',
  method: 'GET',
  path: '/api/files/{sourceKey}',
  params: Type.Object({ sourceKey: Type.String() }),
  jsonOnly: true,
  success: { status: 200, about: 'The bytes', mediaType: 'application/octet-stream' },
  errors: ['company_data.file_not_found'],
})

export const readEvents = defineOperation({
  ...common,
  id: 'test.read_events',
  method: 'GET',
  path: '/api/events',
  jsonOnly: true,
  success: { status: 200, about: 'The stream', mediaType: 'text/event-stream', streams: true },
  errors: [],
})

export const readOpen = defineOperation({
  ...common,
  id: 'test.read_open',
  method: 'GET',
  path: '/api/open',
  callers: [],
  rate: null,
  success: { status: 200, about: 'Public', body: Type.Object({ status: Type.String() }) },
  errors: [],
})

export const readResult = defineOperation({
  ...common,
  id: 'test.read_result',
  method: 'POST',
  path: '/oauth2/result',
  callers: [],
  rate: 'result',
  bodyType: 'form',
  body: Type.Object({ client_id: Type.String({ minLength: 1 }), state: Type.String({ minLength: 1 }) }),
  success: { status: 200, about: 'The result', body: Type.Object({ code: Type.String() }) },
  errors: ['oauth.invalid_request', 'oauth.result_expired'],
})
