import { type ConnectionId, parseUuid } from '@sealpost/kernel'
import {
  deleteContactData,
  listContactData,
  putContactData,
  readContactData,
  readContactFile,
  refuse,
  stageShare as stageShareRoute,
} from '@sealpost/protocol'
import type { BindRoute } from '../../platform/bind-route.ts'
import type { Caller } from '../../platform/caller.ts'
import { sendFile } from '../../platform/downloads.ts'
import { listPage } from '../../platform/page.ts'
import { digestHeader } from '../../settings.ts'
import type { VaultContext } from './context.ts'
import type { VaultValue } from './model.ts'
import { putValue, type ValueOwner } from './operations/put-value.ts'
import { listVaultValues, locateField, locateValue } from './operations/read-value.ts'
import { removeValue } from './operations/remove-value.ts'
import { stageShare } from './operations/stage-share.ts'
import { invalid } from './rules/refusals.ts'
import type { GivenShare } from './rules/shares.ts'
import { bindVerificationRoutes } from './verification/routes.ts'
import { valueToWire } from './wire.ts'

export function bindVaultRoutes(bind: BindRoute, vault: VaultContext): void {
  bindReads(bind, vault)
  bindWrites(bind, vault)
  bindVerificationRoutes(bind, vault)
}

function bindReads(bind: BindRoute, vault: VaultContext): void {
  const { database, clock } = vault
  const sha256Header = digestHeader(vault.settings)
  bind({
    operation: listContactData,
    handle({ caller, query }) {
      const now = clock.now()
      const list = {
        name: 'contact-data',
        idOf: ({ fieldId }: VaultValue) => fieldId,
        toWire: (value: VaultValue) => valueToWire(value, now),
      }
      return listPage(list, query, (slice) => database.read((read) => listVaultValues(read, caller.accountId, slice)))
    },
  })
  bind({
    operation: readContactData,
    locate: ({ caller, params }) => locateValue(vault, caller.accountId, params.fieldId),
    handle: ({ located }) => valueToWire(located, clock.now()),
  })
  bind({
    operation: readContactFile,
    locate: ({ caller, params }) => locateValue(vault, caller.accountId, params.fieldId),
    async handle({ caller, located: { content } }) {
      if (content.kind !== 'object') throw refuse('request.not_found')
      const sent = await sendFile(vault, caller, content, { [sha256Header]: content.sha256 })
      if (sent === null) throw refuse('request.not_found')
      return sent
    },
  })
}

function bindWrites(bind: BindRoute, vault: VaultContext): void {
  bind({
    operation: putContactData,
    locate: ({ caller, params }) => locateField(vault, caller.accountId, params.fieldId),
    async handle({ caller, located, body }) {
      const edit = { value: body.value, isPrivate: body.is_private, shares: (body.shares ?? []).map(readShare) }
      return valueToWire(await putValue(vault, ownerOf(caller), located, edit), vault.clock.now())
    },
  })
  bind({
    operation: deleteContactData,
    locate: ({ caller, params }) => locateValue(vault, caller.accountId, params.fieldId),
    async handle({ located }): Promise<undefined> {
      await removeValue(vault, located.accountId, located.fieldId)
    },
  })
  bind({
    operation: stageShareRoute,
    locate: ({ caller, params }) => locateField(vault, caller.accountId, params.fieldId),
    handle: ({ caller, located, body }) => stageShare(vault, caller.accountId, located, body.value),
  })
}

/** The gates admit a person only by the person's own login; every other caller acts for a company. */
function ownerOf({ accountId, kind }: Caller): ValueOwner {
  return { accountId, userType: kind === 'person' ? 'person' : 'company' }
}

interface WireShare {
  readonly connection_id: string
  readonly slug: string
  readonly value?: unknown
  readonly file?: string
  readonly sender_signature?: string
}

function readShare(share: WireShare, place: number): GivenShare {
  const { connection_id: text, slug, value, file, sender_signature: senderSignature = null } = share
  const connectionId = parseUuid<ConnectionId>(text)
  if (connectionId === null) throw invalid(`/body/shares/${place}/connection_id`, 'is not an id')
  return { connectionId, slug, value, file, senderSignature }
}
