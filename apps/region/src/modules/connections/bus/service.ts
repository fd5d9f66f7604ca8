import { type Bus, parseParty } from '@sealpost/bus'
import { formatInstant, parseInstant, Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import { parseSha256 } from '@sealpost/objects'
import {
  connectAsk,
  connectionEndedTell,
  connectionOpenedTell,
  connectRequestClosedTell,
  connectRequestedTell,
  connectRequestRejectedTell,
  customerGoneTell,
  customerRenamedTell,
  endConnectionAsk,
  lookUpServiceAsk,
  passForRowAsk,
  serviceEndedTell,
  serviceFactsTell,
  slotsChangedTell,
  takeFileAsk,
} from '@sealpost/protocol'
import { readId } from '../../../platform/bus-values.ts'
import type { ServiceMessages, ServiceSideContext } from '../service-side/context.ts'
import type { ConnectionName, ConnectRequestId } from '../service-side/model.ts'
import { changeSlots } from '../service-side/operations/change-slots.ts'
import { rejectRequest } from '../service-side/operations/connect-requests.ts'
import { connect, outcomeToWire } from '../service-side/operations/connect.ts'
import { endConnection, forgetCustomer, belongsTo } from '../service-side/operations/end-connection.ts'
import { findFacts } from '../service-side/operations/read-facts.ts'
import { passForRow } from '../service-side/operations/row-pass.ts'
import { takeFile } from '../service-side/operations/take-file.ts'
import { renameCustomer } from '../service-side/store/connections.ts'

/** Tells about a connection are ordered by its id, tells about a service by the service's id. */
export function serviceMessages(bus: Bus): ServiceMessages {
  return {
    tellOpened: (tx, region, connection, connectedAt) =>
      bus.tell(tx, connectionOpenedTell, {
        to: parseParty(region),
        key: connection.id,
        body: { ...nameToWire(connection), connected_at: formatInstant(connectedAt) },
      }),
    tellEnded: (tx, region, connection, by) =>
      bus.tell(tx, connectionEndedTell, {
        to: parseParty(region),
        key: connection.id,
        body: { ...nameToWire(connection), by },
      }),
    tellFacts: (tx, region, facts) =>
      bus.tell(tx, serviceFactsTell, { to: parseParty(region), key: facts.service_id, body: facts }),
    tellServiceEnded: (tx, region, { companyId, serviceId }) =>
      bus.tell(tx, serviceEndedTell, {
        to: parseParty(region),
        key: serviceId,
        body: { company_id: companyId, service_id: serviceId },
      }),
    tellRequested: (tx, request, texts) =>
      bus.tell(tx, connectRequestedTell, {
        to: parseParty(request.customerRegion),
        key: request.id,
        body: {
          company_id: request.companyId,
          service_id: request.serviceId,
          request_id: request.id,
          customer_id: request.customerId,
          company: { display_name: texts.company.displayName, share_code: texts.company.shareCode },
          service_name: texts.serviceName,
          service_code: texts.serviceCode,
          message: texts.message,
          created_at: formatInstant(request.createdAt),
          expires_at: formatInstant(request.expiresAt),
        },
      }),
    tellRequestClosed: (tx, { customerRegion, id, customerId }) =>
      bus.tell(tx, connectRequestClosedTell, {
        to: parseParty(customerRegion),
        key: id,
        body: { request_id: id, customer_id: customerId },
      }),
    async askForFacts(region, companyId, code) {
      const body = { company_id: companyId, code, service_id: null }
      return (await bus.ask(lookUpServiceAsk, { to: parseParty(region), body })).facts
    },
  }
}

function nameToWire({ companyId, serviceId, id, customerId }: ConnectionName) {
  return { company_id: companyId, service_id: serviceId, connection_id: id, customer_id: customerId }
}

/** Handles asks and tells of the customers' regions. A region may act only for its own customers. */
export function answerAsService(bus: Bus, context: ServiceSideContext): void {
  answerAsks(bus, context)
  hearChanges(bus, context)
  hearOfCustomers(bus, context)
}

function answerAsks(bus: Bus, context: ServiceSideContext): void {
  bus.onRead(lookUpServiceAsk, async ({ body: { company_id, code, service_id } }) => {
    const serviceId = service_id === null ? null : readId<ServiceId>(service_id)
    return { facts: await findFacts(context, readId<UserId>(company_id), { code, serviceId }) }
  })
  bus.onRead(passForRowAsk, async ({ body }) => {
    const row = { slug: body.slug, customerType: body.customer_type }
    return { pass: await passForRow(context, readService(body), row) }
  })
  bus.onRead(takeFileAsk, async ({ body }) => {
    const sha256 = parseSha256(body.sha256)
    if (sha256 === null) return { object_key: null }
    const file = { ...readService(body), url: new Secret(body.url), sha256, bytes: body.bytes }
    return { object_key: await takeFile(context, file) }
  })
  bus.onAsk(connectAsk, async (tx, { from, body }) => {
    const { customer, answers, files } = body
    if (customer.region !== from) throw new Error(`region ${from} asked for a customer of region ${customer.region}`)
    const requestId = body.request_id === null ? null : readId<ConnectRequestId>(body.request_id)
    const input = {
      customer: {
        ...readConnection(body),
        customerId: readId<UserId>(customer.user_id),
        customerRegion: customer.region,
        customerType: customer.user_type,
        shareCode: customer.share_code,
        displayName: customer.display_name,
        publicKey: customer.public_key,
      },
      answers,
      files,
      requestId,
    }
    return outcomeToWire(tx, await connect(context, tx, input))
  })
  bus.onAsk(endConnectionAsk, async (tx, { from, body }) => {
    const customerId = readId<UserId>(body.customer_id)
    const ending = { ...readConnection(body), by: 'customer' } as const
    return {
      outcome: await endConnection(context, tx, ending, (connection) => belongsTo(connection, customerId, from)),
    }
  })
}

function hearChanges(bus: Bus, context: ServiceSideContext): void {
  bus.onTell(slotsChangedTell, async (tx, { from, body, attachment }) => {
    const { companyId, serviceId, id: connectionId } = readConnection(body)
    await changeSlots(context, tx, {
      companyId,
      serviceId,
      connectionId,
      region: from,
      changes: body.changes,
      attachment,
    })
  })
}

function hearOfCustomers(bus: Bus, context: ServiceSideContext): void {
  bus.onTell(customerGoneTell, async (tx, { from, body }) => {
    const { serviceId, id } = readConnection(body)
    const customerId = readId<UserId>(body.customer_id)
    await forgetCustomer(context, tx, { serviceId, id, customerId, region: from, isErased: body.is_erased })
  })
  bus.onTell(customerRenamedTell, async (tx, { from, body }) => {
    const { display_name: displayName, rev } = body
    await renameCustomer(tx, readId<UserId>(body.customer_id), from, { displayName, rev })
  })
  bus.onTell(connectRequestRejectedTell, async (tx, { from, body }) => {
    await rejectRequest(context, tx, {
      serviceId: readId<ServiceId>(body.service_id),
      id: readId<ConnectRequestId>(body.request_id),
      customerId: readId<UserId>(body.customer_id),
      region: from,
      at: parseInstant(body.at) ?? context.clock.now(),
    })
  })
}

function readService(body: { readonly company_id: string; readonly service_id: string }) {
  return { companyId: readId<UserId>(body.company_id), serviceId: readId<ServiceId>(body.service_id) }
}

function readConnection(body: Parameters<typeof readService>[0] & { readonly connection_id: string }) {
  return { ...readService(body), id: readId<ConnectionName['id']>(body.connection_id) }
}
