import { type Bus, parseParty } from '@sealpost/bus'
import { formatInstant, Secret } from '@sealpost/kernel'
import {
  broadcastDeletedTell,
  broadcastsResetTell,
  broadcastTell,
  type DocumentAct,
  documentActAsk,
  documentCopyTell,
  documentDeletedTell,
  prepareSealAsk,
  readBroadcastAsk,
  refuse,
  runSignature,
} from '@sealpost/protocol'
import { readId } from '../../../platform/bus-values.ts'
import type { ServiceMessages, ServiceSideContext } from '../service-side/context.ts'
import type { ActRequest, CustomerDocument } from '../service-side/model.ts'
import { actOnDocument } from '../service-side/operations/act-on-document.ts'
import { offerBroadcast } from '../service-side/operations/offer-broadcast.ts'
import { prepareSeal } from '../service-side/operations/prepare-seal.ts'
import { listRunDocuments } from '../service-side/operations/run-copies.ts'
import { stateToWire } from '../service-side/wire.ts'

/** Tells about a customer's document are ordered by the connection, like its opening and end; broadcasts by the service. */
export function serviceMessages(bus: Bus): ServiceMessages {
  return {
    tellCopy: (tx, document, state, content, file) =>
      bus.tell(tx, documentCopyTell, {
        to: parseParty(document.customer.customerRegion),
        key: document.customer.connectionId,
        // Parsed here with the receiver's parser: a body that it cannot read would block the lane.
        body: documentCopyTell.parse({ ...nameToWire(document), state, content }),
        ...(file === null ? {} : { attachment: file }),
      }),
    tellDeleted: (tx, document) =>
      bus.tell(tx, documentDeletedTell, {
        to: parseParty(document.customer.customerRegion),
        key: document.customer.connectionId,
        body: { ...nameToWire(document), document_id: document.id },
      }),
    tellBroadcast: (tx, region, service, broadcast) =>
      bus.tell(tx, broadcastTell, {
        to: parseParty(region),
        key: service.serviceId,
        body: broadcastTell.parse({ ...serviceToWire(service), broadcast }),
      }),
    tellBroadcastDeleted: (tx, region, service, id) =>
      bus.tell(tx, broadcastDeletedTell, {
        to: parseParty(region),
        key: service.serviceId,
        body: { ...serviceToWire(service), document_id: id },
      }),
    tellBroadcastsReset: (tx, region, service) =>
      bus.tell(tx, broadcastsResetTell, {
        to: parseParty(region),
        key: service.serviceId,
        body: serviceToWire(service),
      }),
  }
}

function serviceToWire({ companyId, serviceId }: Pick<CustomerDocument, 'companyId' | 'serviceId'>) {
  return { company_id: companyId, service_id: serviceId }
}

function nameToWire({ companyId, serviceId, customer }: CustomerDocument) {
  const { connectionId, customerId } = customer
  return { ...serviceToWire({ companyId, serviceId }), connection_id: connectionId, customer_id: customerId }
}

/** Handles asks of the customers' regions. */
export function answerAsService(bus: Bus, context: ServiceSideContext): void {
  bus.onRead(readBroadcastAsk, async ({ body }) => ({
    file: await offerBroadcast(context, { serviceId: readId(body.service_id), id: readId(body.document_id) }),
  }))
  bus.onRead(prepareSealAsk, async ({ from, body }) => {
    const { otk, url, sha256, bytes } = body
    const handedOver = { otk: new Secret(otk), url: new Secret(url), sha256, bytes }
    const prepared = await prepareSeal(context, readRequest(body, from), handedOver)
    return prepared.ok ? { seal_id: prepared.value, refusal: null } : { seal_id: null, refusal: prepared.refusal }
  })
  bus.onAsk(documentActAsk, async (tx, { from, body }) => {
    const sealId = body.seal_id === null ? null : readId<NonNullable<SealId>>(body.seal_id)
    const acted = await actOnDocument(context, tx, readRequest(body, from), sealId)
    // Not stored as the outcome: the same call gets another seal when it is repeated.
    if (!acted.ok && acted.refusal === 'seal_failed') throw refuse('documents.seal_failed')
    if (!acted.ok) return { outcome: 'refused' as const, refusal: acted.refusal }
    const { document, signatures } = acted.value
    if (document.contentSha256 === null) throw new Error(`document ${document.id} has no sealed content`)
    const { serviceId, runId } = document
    const ofRun = runId === null ? null : await listRunDocuments(tx, { serviceId, runId })
    return {
      outcome: 'done' as const,
      ...(ofRun === null ? {} : { run_signatures: ofRun.map(runSignature) }),
      state: stateToWire(document, signatures),
      plain_sha256: document.plainSha256,
      sealed_at: document.sealedAt === null ? null : formatInstant(document.sealedAt),
      content_sha256: document.contentSha256,
    }
  })
}

type SealId = Parameters<typeof actOnDocument>[3]

interface ActBody {
  readonly company_id: string
  readonly service_id: string
  readonly connection_id: string
  readonly customer_id: string
  readonly document_id: string
  readonly act: DocumentAct
}

function readRequest(body: ActBody, from: string): ActRequest {
  return {
    companyId: readId(body.company_id),
    serviceId: readId(body.service_id),
    connectionId: readId(body.connection_id),
    customerId: readId(body.customer_id),
    region: from,
    documentId: readId(body.document_id),
    act: body.act,
  }
}
