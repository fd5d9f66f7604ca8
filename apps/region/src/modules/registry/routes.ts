import { answer } from '@sealpost/http'
import { type FieldId, parseUuid, type UserId } from '@sealpost/kernel'
import {
  changeContactField,
  createContactField,
  deleteContactField,
  listContactFields as listContactFieldsRoute,
  listFieldTypes,
  readContactField,
  refuse,
} from '@sealpost/protocol'
import type { BindRoute } from '../../platform/bind-route.ts'
import { pageInMemory } from '../../platform/page.ts'
import type { RegistryContext } from './context.ts'
import type { ContactField } from './model.ts'
import { changeField, createField, deleteField, findContactField, listContactFields } from './operations/fields.ts'
import { loadBuiltRegistry } from './operations/types.ts'
import { findOwnField } from './store/fields.ts'
import { fieldToWire, typeToWire } from './wire.ts'

const fieldList = (view: string) => ({
  name: `fields-${view}`,
  idOf: ({ id }: ContactField) => id,
  toWire: fieldToWire,
})

export function bindRegistryRoutes(bind: BindRoute, registry: RegistryContext): void {
  bind({
    operation: listFieldTypes,
    async handle() {
      const { rows, tag } = await registry.database.read(loadBuiltRegistry)
      const headers = { etag: `"${tag}"`, 'cache-control': 'max-age=300' }
      return answer(rows.map(typeToWire), { headers })
    },
  })
  bind({
    operation: listContactFieldsRoute,
    async handle({ caller, query }) {
      const { usertype } = query
      const fields = await registry.database.read((read) => listContactFields(read, caller.accountId, usertype))
      return pageInMemory(fieldList(usertype ?? 'all'), query, fields)
    },
  })
  bind({
    operation: readContactField,
    async handle({ caller, params }) {
      const id = parseUuid<FieldId>(params.id)
      const field =
        id === null ? null : await registry.database.read((read) => findContactField(read, caller.accountId, id))
      if (field === null) throw refuse('request.not_found')
      return fieldToWire(field)
    },
  })
  bindOwnFields(bind, registry)
}

function bindOwnFields(bind: BindRoute, registry: RegistryContext): void {
  bind({
    operation: createContactField,
    async handle({ caller, body }) {
      const { label, type, usertype = caller.kind === 'person' ? 'person' : 'company' } = body
      const slug = body.slug === '' ? undefined : body.slug
      return fieldToWire(await createField(registry, caller.accountId, { slug, label, type, usertype }))
    },
  })
  bind({
    operation: changeContactField,
    locate: ({ caller, params }) => locate(registry, caller.accountId, params.id),
    handle: async ({ caller, located, body }) => {
      const { slug, label, type, usertype } = body
      const change = {
        ...(slug === undefined ? {} : { slug }),
        ...(label === undefined ? {} : { label }),
        ...(type === undefined ? {} : { type }),
        ...(usertype === undefined ? {} : { usertype }),
      }
      return fieldToWire(await changeField(registry, caller.accountId, located, change))
    },
  })
  bind({
    operation: deleteContactField,
    locate: ({ caller, params }) => locate(registry, caller.accountId, params.id),
    async handle({ caller, located }): Promise<undefined> {
      await deleteField(registry, caller.accountId, located)
    },
  })
}

/** For writes a platform field is as missing as another account's. */
async function locate({ database }: RegistryContext, owner: UserId, text: string): Promise<FieldId> {
  const id = parseUuid<FieldId>(text)
  const found = id === null ? null : await database.read((read) => findOwnField(read, owner, id))
  if (found === null) throw refuse('request.not_found')
  return found.id
}
