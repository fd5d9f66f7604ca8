import { type Bus, parseParty } from '@sealpost/bus'
import type { Ids } from '@sealpost/kernel'
import {
  broadcastDeletedTell,
  broadcastsResetTell,
  broadcastTell,
  documentActAsk,
  documentCopyTell,
  documentDeletedTell,
  prepareSealAsk,
  readBroadcastAsk,
} from '@sealpost/protocol'
import { readId } from '../../../platform/bus-values.ts'
import type { CustomerContext, CustomerMessages } from '../customer-side/context.ts'
import type { Copy, ServiceAddress } from '../customer-side/model.ts'
import { forgetBroadcasts, hearBroadcast, hearBroadcastDeleted } from '../customer-side/operations/hear-broadcasts.ts'
import { hearCopy, hearDeleted } from '../customer-side/operations/hear-copies.ts'

/** The service's region fetches, seals and encrypts a PDF before it answers. */
const SEAL_TIMEOUT_MS = 30_000

export function customerMessages(bus: Bus, ids: Ids): CustomerMessages {
  return {
    async askToAct(copy, act, sealId, mark) {
      const reply = await bus.ask(documentActAsk, {
        to: parseParty(copy.companyRegion),
        // Without a mark each call is a new one: a refusal of a minute ago may not hold any more.
        id: `document_act:${copy.id}:${mark ?? ids.uuid()}`,
        body: { ...nameToWire(copy), act, seal_id: sealId },
      })
      if (reply.outcome === 'refused') return reply
      const { state, content_sha256: contentSha256, plain_sha256: plainSha256, sealed_at: sealedAt } = reply
      const runSignatures = reply.run_signatures ?? null
      return { outcome: 'done', state, contentSha256, plainSha256, sealedAt, runSignatures }
    },
    async askToPrepareSeal(copy, act, { otk, url, sha256, bytes }) {
      const reply = await bus.ask(prepareSealAsk, {
        to: parseParty(copy.companyRegion),
        timeoutMs: SEAL_TIMEOUT_MS,
        body: { ...nameToWire(copy), act, otk: otk.reveal(), url, sha256, bytes },
      })
      return reply.refusal === null ? { sealId: reply.seal_id } : { refusal: reply.refusal }
    },
    async askForBroadcast({ companyId, companyRegion, serviceId, id }) {
      const body = { company_id: companyId, service_id: serviceId, document_id: id }
      return (await bus.ask(readBroadcastAsk, { to: parseParty(companyRegion), body })).file
    },
  }
}

function nameToWire({ companyId, serviceId, connectionId, accountId, id }: Copy) {
  return {
    company_id: companyId,
    service_id: serviceId,
    connection_id: connectionId,
    customer_id: accountId,
    document_id: id,
  }
}

/** Handles tells of the services' regions. A region may act only for its own services. */
export function hearAsCustomer(bus: Bus, context: CustomerContext): void {
  bus.onTell(documentCopyTell, async (tx, { from, body, attachment }) => {
    const { state, content } = body
    await hearCopy(context, tx, { ...readNames(body, from), state, content, attachment })
  })
  bus.onTell(documentDeletedTell, async (tx, { from, body }) => {
    await hearDeleted(context, tx, readNames(body, from), readId(body.document_id))
  })
  bus.onTell(broadcastTell, async (tx, { from, body }) => {
    const { broadcast: facts } = body
    await hearBroadcast(context, tx, { ...readService(body, from), id: readId(facts.state.id), facts })
  })
  bus.onTell(broadcastDeletedTell, async (tx, { from, body }) => {
    await hearBroadcastDeleted(context, tx, readService(body, from), readId(body.document_id))
  })
  bus.onTell(broadcastsResetTell, async (tx, { body }) => {
    await forgetBroadcasts(context, tx, readId(body.service_id))
  })
}

interface ServiceBody {
  readonly company_id: string
  readonly service_id: string
}

interface NamesBody extends ServiceBody {
  readonly connection_id: string
  readonly customer_id: string
}

function readNames(body: NamesBody, from: string) {
  return {
    service: readService(body, from),
    accountId: readId<Copy['accountId']>(body.customer_id),
    connectionId: readId<Copy['connectionId']>(body.connection_id),
  }
}

function readService(body: ServiceBody, from: string): ServiceAddress {
  return { companyId: readId(body.company_id), serviceId: readId(body.service_id), companyRegion: from }
}
