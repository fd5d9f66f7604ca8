import { Readable } from 'node:stream'
import { answer } from '@sealpost/http'
import { type ConnectionId, type FieldId, parseUuid, type UserId } from '@sealpost/kernel'
import {
  deleteContactData,
  listContactData,
  type PageQueryText,
  parsePageQuery,
  putContactData,
  readContactData,
  readContactFile,
  refuse,
  stageShare as stageShareRoute,
} from '@sealpost/protocol'
import type { BindRoute } from '../../bind.ts'
import type { Caller } from '../../caller.ts'
import { removeValue } from './drop-value.ts'
import type { ShareText } from './edit.ts'
import { locateField, locateValue } from './locate.ts'
import type { VaultNeeds } from './needs.ts'
import { putValue, type ValueOwner } from './put-value.ts'
import { listVaultValues } from './read-value.ts'
import { invalid } from './refusals.ts'
import { showValue } from './show.ts'
import { stageShare } from './stage-share.ts'
import type { ValueSlice } from './store/values.ts'
import { bindVerificationRoutes } from './verification/routes.ts'

export interface VaultRouteNeeds extends VaultNeeds {
  /** The name of the header with the digest of a file. */
  readonly digestHeader: string
}

export function bindVaultRoutes(bind: BindRoute, needs: VaultRouteNeeds): void {
  bindReads(bind, needs)
  bindWrites(bind, needs)
  bindVerificationRoutes(bind, needs)
}

function bindReads(bind: BindRoute, needs: VaultRouteNeeds): void {
  bind({ operation: listContactData, handle: ({ caller, query }) => listPage(needs, caller.accountId, query) })
  bind({
    operation: readContactData,
    locate: ({ caller, params }) => locateValue(needs, caller.accountId, params.fieldId),
    handle: ({ located }) => showValue(located, needs.clock.now()),
  })
  bind({
    operation: readContactFile,
    locate: ({ caller, params }) => locateValue(needs, caller.accountId, params.fieldId),
    async handle({ located: { content } }) {
      if (content.kind !== 'object') throw refuse('request.not_found')
      const opened = await needs.objects.open(content.objectKey, content.sha256)
      if (!opened.ok) throw new Error('the file of a value is not in the object store')
      const headers = { [needs.digestHeader]: content.sha256, 'content-length': opened.value.sizeBytes }
      return answer(Readable.from(opened.value.bytes, { objectMode: false }), { headers })
    },
  })
}

function bindWrites(bind: BindRoute, needs: VaultRouteNeeds): void {
  bind({
    operation: putContactData,
    locate: ({ caller, params }) => locateField(needs, caller.accountId, params.fieldId),
    async handle({ caller, located, body }) {
      const edit = { value: body.value, isPrivate: body.is_private, shares: (body.shares ?? []).map(readShare) }
      return showValue(await putValue(needs, ownerOf(caller), located, edit), needs.clock.now())
    },
  })
  bind({
    operation: deleteContactData,
    locate: ({ caller, params }) => locateValue(needs, caller.accountId, params.fieldId),
    async handle({ located }): Promise<undefined> {
      await removeValue(needs, located.accountId, located.fieldId)
    },
  })
  bind({
    operation: stageShareRoute,
    locate: ({ caller, params }) => locateField(needs, caller.accountId, params.fieldId),
    async handle({ caller, located, body, storeAnswer }) {
      const file = await stageShare(needs, caller.accountId, located, body.value, (tx, handle) =>
        storeAnswer(tx, { file: handle }),
      )
      return { file }
    },
  })
}

/** The gates let persons in by their own login alone; everybody else here stands for a company. */
function ownerOf({ accountId, kind }: Caller): ValueOwner {
  return { accountId, userType: kind === 'person' ? 'person' : 'company' }
}

interface WireShare {
  readonly connection_id: string
  readonly slug: string
  readonly value?: unknown
  readonly file?: string
}

function readShare({ connection_id: text, slug, value, file }: WireShare, place: number): ShareText {
  const connectionId = parseUuid<ConnectionId>(text)
  if (connectionId === null) throw invalid(`/body/shares/${place}/connection_id`, 'is not an id')
  return { connectionId, slug, value, file }
}

/** One row more than the page holds tells whether more follow. */
async function listPage({ database, clock }: VaultNeeds, accountId: UserId, query: PageQueryText) {
  const slice = readSlice(query)
  const more = { ...slice, limit: slice.limit + 1 }
  const values = await database.read((read) => listVaultValues(read, accountId, more))
  const page = values.slice(0, slice.limit)
  const hasMore = values.length > slice.limit
  const now = clock.now()
  return {
    total: slice.offset + page.length + (hasMore ? 1 : 0),
    items: page.map((value) => showValue(value, now)),
    next_cursor: hasMore ? (page.at(-1)?.fieldId ?? null) : null,
  }
}

function readSlice(query: PageQueryText): ValueSlice {
  const page = parsePageQuery(query)
  if (!page.ok) throw invalid(`/query${page.refusal.path}`, page.refusal.message)
  const { limit, from } = page.value
  if ('offset' in from) return { after: null, offset: from.offset, limit }
  const after = parseUuid<FieldId>(from.cursor)
  if (after === null) throw invalid('/query/cursor', 'is not a cursor of this list')
  return { after, offset: 0, limit }
}
