import { type Bus, parseParty } from '@sealpost/bus'
import {
  type ConnectionId,
  formatInstant,
  type Ids,
  type Instant,
  parseInstant,
  Secret,
  type ServiceId,
  type UserId,
} from '@sealpost/kernel'
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
  readCardPhotoAsk,
  serviceEndedTell,
  serviceFactsTell,
  slotsChangedTell,
  takeFileAsk,
} from '@sealpost/protocol'
import { readId } from '../../../platform/bus-values.ts'
import type { CustomerContext, CustomerMessages } from '../customer-side/context.ts'
import type { ConnectReply, Opening, ServiceAddress } from '../customer-side/model.ts'
import { confirmConnection } from '../customer-side/operations/confirm-connection.ts'
import { hearRequested, hearWithdrawn } from '../customer-side/operations/connect-requests.ts'
import { answerUnknown, hearEnded } from '../customer-side/operations/end-connection.ts'
import { hearFacts, hearServiceEnded } from '../customer-side/operations/learn-facts.ts'

/** The service's region copies the file before it answers. */
const COPY_TIMEOUT_MS = 30_000

/** Tells about a connection are ordered by its id, tells about a customer by the account id. */
export function customerMessages(bus: Bus, ids: Ids): CustomerMessages {
  return { ...customerAsks(bus, ids), ...customerTells(bus) }
}

type Asks = 'askForFacts' | 'askForPass' | 'askToTakeFile' | 'askToConnect' | 'askToEnd' | 'askForCardPhoto'

function customerAsks(bus: Bus, ids: Ids): Pick<CustomerMessages, Asks> {
  return {
    async askForFacts({ companyId, region }, service) {
      const [code, serviceId] = 'code' in service ? [service.code, null] : [null, service.serviceId]
      const body = { company_id: companyId, code, service_id: serviceId }
      return (await bus.ask(lookUpServiceAsk, { to: parseParty(region), body })).facts
    },
    async askForPass(service, { slug, customerType }) {
      const body = { ...serviceToWire(service), slug, customer_type: customerType }
      return (await bus.ask(passForRowAsk, { to: parseParty(service.companyRegion), body })).pass
    },
    async askToTakeFile(service, { url, sha256, bytes }) {
      const body = { ...serviceToWire(service), url: url.reveal(), sha256, bytes }
      const to = parseParty(service.companyRegion)
      return (await bus.ask(takeFileAsk, { to, body, timeoutMs: COPY_TIMEOUT_MS })).object_key
    },
    askToConnect: (service, opening) => askToConnect(bus, service, opening),
    async askToEnd(connection) {
      const { outcome } = await bus.ask(endConnectionAsk, {
        to: parseParty(connection.companyRegion),
        // A new ask id each time: a contract that prevented the end may be closed by now.
        id: `end_connection:${connection.id}:${ids.uuid()}`,
        body: { ...serviceToWire(connection), connection_id: connection.id, customer_id: connection.accountId },
      })
      return outcome
    },
    async askForCardPhoto(service, photoId) {
      const body = { ...serviceToWire(service), photo_id: photoId }
      const { photo } = await bus.ask(readCardPhotoAsk, { to: parseParty(service.companyRegion), body })
      return photo === null ? null : { ...photo, url: new Secret(photo.url), contentType: photo.content_type }
    },
  }
}

async function askToConnect(bus: Bus, service: ServiceAddress, opening: Opening): Promise<ConnectReply> {
  const { connectionId, customer, answers, files, requestId } = opening
  const reply = await bus.ask(connectAsk, {
    to: parseParty(service.companyRegion),
    id: `connect:${connectionId}`,
    body: {
      ...serviceToWire(service),
      connection_id: connectionId,
      customer,
      answers,
      files,
      request_id: requestId,
    },
  })
  switch (reply.outcome) {
    case 'connected':
      return { ...reply, connectedAt: readInstant(reply.connected_at) }
    case 'exists':
      return {
        ...reply,
        connectionId: readId<ConnectionId>(reply.connection_id),
        connectedAt: readInstant(reply.connected_at),
      }
    case 'no_service':
    case 'audience':
    case 'no_request':
    case 'mandatory_missing':
    case 'invalid':
      return reply
  }
}

function customerTells(bus: Bus): Omit<CustomerMessages, Asks> {
  return {
    tellSlots: (tx, connection, changes, attachment) =>
      bus.tell(tx, slotsChangedTell, {
        to: parseParty(connection.companyRegion),
        key: connection.id,
        // Parsed here with the receiver's parser: a body that it cannot read would block the lane.
        body: slotsChangedTell.parse({ ...serviceToWire(connection), connection_id: connection.id, changes }),
        ...(attachment === undefined ? {} : { attachment }),
      }),
    tellGone: (tx, { accountId, connectionId, isErased, ...service }) =>
      bus.tell(tx, customerGoneTell, {
        to: parseParty(service.companyRegion),
        key: connectionId,
        body: {
          ...serviceToWire(service),
          connection_id: connectionId,
          customer_id: accountId,
          is_erased: isErased,
        },
      }),
    tellRenamed: (tx, region, { accountId, displayName, rev }) =>
      bus.tell(tx, customerRenamedTell, {
        to: parseParty(region),
        key: accountId,
        body: { customer_id: accountId, display_name: displayName, rev },
      }),
    tellRejected: (tx, { accountId, requestId, at, ...service }) =>
      bus.tell(tx, connectRequestRejectedTell, {
        to: parseParty(service.companyRegion),
        key: requestId,
        body: { ...serviceToWire(service), request_id: requestId, customer_id: accountId, at: formatInstant(at) },
      }),
  }
}

/** Handles tells of the services' regions. A region may act only for its own services. */
export function hearAsCustomer(bus: Bus, context: CustomerContext): void {
  hearOfConnections(bus, context)
  hearOfServices(bus, context)
  hearOfRequests(bus, context)
}

function hearOfConnections(bus: Bus, context: CustomerContext): void {
  bus.onTell(connectionOpenedTell, async (tx, { from, body }) => {
    const service = readService(body, from)
    const accountId = readId<UserId>(body.customer_id)
    const connectionId = readId<ConnectionId>(body.connection_id)
    const opened = await confirmConnection(
      context,
      tx,
      { accountId, id: connectionId },
      readInstant(body.connected_at),
      service,
    )
    if (opened === null) await answerUnknown(context, tx, service, { accountId, connectionId })
  })
  bus.onTell(connectionEndedTell, async (tx, { from, body }) => {
    const name = { accountId: readId<UserId>(body.customer_id), id: readId<ConnectionId>(body.connection_id) }
    await hearEnded(context, tx, name, readService(body, from))
  })
}

function hearOfServices(bus: Bus, context: CustomerContext): void {
  bus.onTell(serviceFactsTell, (tx, { from, body }) => hearFacts(context, tx, readService(body, from), body))
  bus.onTell(serviceEndedTell, (tx, { from, body }) => hearServiceEnded(context, tx, readService(body, from)))
}

function hearOfRequests(bus: Bus, context: CustomerContext): void {
  bus.onTell(connectRequestedTell, async (tx, { from, body }) => {
    await hearRequested(context, tx, {
      ...readService(body, from),
      accountId: readId<UserId>(body.customer_id),
      id: readId(body.request_id),
      companyName: body.company.display_name,
      companyCode: body.company.share_code,
      serviceName: body.service_name,
      serviceCode: body.service_code,
      message: body.message,
      createdAt: readInstant(body.created_at),
      expiresAt: readInstant(body.expires_at),
    })
  })
  bus.onTell(connectRequestClosedTell, async (tx, { from, body }) => {
    await hearWithdrawn(context, tx, { accountId: readId<UserId>(body.customer_id), id: readId(body.request_id) }, from)
  })
}

function serviceToWire({ companyId, serviceId }: Pick<ServiceAddress, 'companyId' | 'serviceId'>) {
  return { company_id: companyId, service_id: serviceId }
}

function readService(body: { readonly company_id: string; readonly service_id: string }, from: string): ServiceAddress {
  return {
    companyId: readId<UserId>(body.company_id),
    serviceId: readId<ServiceId>(body.service_id),
    companyRegion: from,
  }
}

function readInstant(text: string): Instant {
  const at = parseInstant(text)
  if (at === null) throw new Error('invalid timestamp in a bus message')
  return at
}
