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
import type { BindRoute } from '../../bind.ts'
import type { ContactField } from './catalog.ts'
import { changeField, createField, deleteField, findContactField, listContactFields } from './fields.ts'
import type { RegistryNeeds } from './needs.ts'
import { pageOfFields } from './page.ts'
import { findOwnField } from './store/fields.ts'
import { loadBuiltRegistry } from './types.ts'

export function bindRegistryRoutes(bind: BindRoute, needs: RegistryNeeds): void {
  bind({
    operation: listFieldTypes,
    async handle() {
      const { rows, tag } = await needs.database.read(loadBuiltRegistry)
      const headers = { etag: `"${tag}"`, 'cache-control': 'max-age=300' }
      return answer(rows.map(showType), { headers })
    },
  })
  bind({
    operation: listContactFieldsRoute,
    async handle({ caller, query }) {
      const { usertype } = query
      const fields = await needs.database.read((read) => listContactFields(read, caller.accountId, usertype))
      return pageOfFields(fields, usertype ?? 'all', query, showField)
    },
  })
  bind({
    operation: readContactField,
    async handle({ caller, params }) {
      const id = parseUuid<FieldId>(params.id)
      const field =
        id === null ? null : await needs.database.read((read) => findContactField(read, caller.accountId, id))
      if (field === null) throw refuse('request.not_found')
      return showField(field)
    },
  })
  bindOwnFields(bind, needs)
}

function bindOwnFields(bind: BindRoute, needs: RegistryNeeds): void {
  bind({
    operation: createContactField,
    async handle({ caller, body, storeAnswer }) {
      const { label, type, usertype = caller.kind === 'person' ? 'person' : 'company' } = body
      const slug = body.slug === '' ? undefined : body.slug
      const keep: Parameters<typeof createField>[3] = (tx, field) => storeAnswer(tx, showField(field))
      return showField(await createField(needs, caller.accountId, { slug, label, type, usertype }, keep))
    },
  })
  bind({
    operation: changeContactField,
    locate: ({ caller, params }) => locate(needs, caller.accountId, params.id),
    handle: async ({ caller, located, body }) => {
      const { slug, label, type, usertype } = body
      const change = {
        ...(slug === undefined ? {} : { slug }),
        ...(label === undefined ? {} : { label }),
        ...(type === undefined ? {} : { type }),
        ...(usertype === undefined ? {} : { usertype }),
      }
      return showField(await changeField(needs, caller.accountId, located, change))
    },
  })
  bind({
    operation: deleteContactField,
    locate: ({ caller, params }) => locate(needs, caller.accountId, params.id),
    async handle({ caller, located }): Promise<undefined> {
      await deleteField(needs, caller.accountId, located)
    },
  })
}

/** Fields of the platform can be read by everybody and changed by nobody: here they are missing like a stranger's. */
async function locate({ database }: RegistryNeeds, owner: UserId, text: string): Promise<FieldId> {
  const id = parseUuid<FieldId>(text)
  const found = id === null ? null : await database.read((read) => findOwnField(read, owner, id))
  if (found === null) throw refuse('request.not_found')
  return found.id
}

function showType(row: Awaited<ReturnType<typeof loadBuiltRegistry>>['rows'][number]) {
  const { options, fields } = row
  return {
    ...row,
    options: options === null ? null : [...options],
    fields: fields?.map((entry) => ({ ...entry, options: entry.options === null ? null : [...entry.options] })) ?? null,
  }
}

function showField({ id, slug, label, type, usertype, isSystem, owner }: ContactField) {
  return { id, slug, label, type, usertype, is_system: isSystem, owner }
}
