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
  readCardPhotoAsk,
  serviceEndedTell,
  serviceFactsTell,
  slotsChangedTell,
  takeFileAsk,
} from '@sealpost/protocol'
import type { ServiceAddress } from '../customer-side/connection.ts'
import type { CustomerNeeds } from '../customer-side/needs.ts'
import { answerUnknown, hearEnded } from '../customer-side/operations/end.ts'
import { hearFacts, hearServiceEnded } from '../customer-side/operations/facts.ts'
import { hearRequested } from '../customer-side/operations/requests.ts'
import { settle } from '../customer-side/operations/settle.ts'
import { deleteRequest } from '../customer-side/store/requests.ts'
import type { Connected, CustomerWire, Opening } from '../customer-side/wire.ts'
import { readId } from './ids.ts'

/** The service's region copies the file while we wait. */
const COPY_TIMEOUT_MS = 30_000

/** What the customer's side asks and tells. Tells of a connection are ordered by its id, those of a customer by his. */
export function customerWire(bus: Bus, ids: Ids): CustomerWire {
  return { ...customerAsks(bus, ids), ...customerTells(bus) }
}

type Asks = 'lookUp' | 'takeFile' | 'connect' | 'end' | 'readCardPhoto'

function customerAsks(bus: Bus, ids: Ids): Pick<CustomerWire, Asks> {
  return {
    async lookUp({ companyId, region }, named) {
      const [code, serviceId] = 'code' in named ? [named.code, null] : [null, named.serviceId]
      const body = { company_id: companyId, code, service_id: serviceId }
      return (await bus.ask(lookUpServiceAsk, { to: parseParty(region), body })).facts
    },
    async takeFile(service, { url, sha256, bytes }) {
      const body = { ...nameService(service), url: url.reveal(), sha256, bytes }
      const to = parseParty(service.companyRegion)
      return (await bus.ask(takeFileAsk, { to, body, timeoutMs: COPY_TIMEOUT_MS })).object_key
    },
    connect: (service, opening) => askToConnect(bus, service, opening),
    async end(connection) {
      const { outcome } = await bus.ask(endConnectionAsk, {
        to: parseParty(connection.companyRegion),
        // An ask of its own each time: a contract that was in the way may be over.
        id: `end_connection:${connection.id}:${ids.uuid()}`,
        body: { ...nameService(connection), connection_id: connection.id, customer_id: connection.accountId },
      })
      return outcome
    },
    async readCardPhoto(service, photoId) {
      const body = { ...nameService(service), photo_id: photoId }
      const { photo } = await bus.ask(readCardPhotoAsk, { to: parseParty(service.companyRegion), body })
      return photo === null ? null : { ...photo, url: new Secret(photo.url), contentType: photo.content_type }
    },
  }
}

async function askToConnect(bus: Bus, service: ServiceAddress, opening: Opening): Promise<Connected> {
  const { connectionId, customer, answers, files, requestId } = opening
  const reply = await bus.ask(connectAsk, {
    to: parseParty(service.companyRegion),
    id: `connect:${connectionId}`,
    body: {
      ...nameService(service),
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

function customerTells(bus: Bus): Omit<CustomerWire, Asks> {
  return {
    tellSlots: (tx, connection, changes, attachment) =>
      bus.tell(tx, slotsChangedTell, {
        to: parseParty(connection.companyRegion),
        key: connection.id,
        // Read here as it will be read there: what the service's side cannot read would stop the lane for ever.
        body: slotsChangedTell.parse({ ...nameService(connection), connection_id: connection.id, changes }),
        ...(attachment === undefined ? {} : { attachment }),
      }),
    tellGone: (tx, { accountId, connectionId, isErased, ...service }) =>
      bus.tell(tx, customerGoneTell, {
        to: parseParty(service.companyRegion),
        key: connectionId,
        body: {
          ...nameService(service),
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
        body: { ...nameService(service), request_id: requestId, customer_id: accountId, at: formatInstant(at) },
      }),
  }
}

/** What services' regions tell this side. A region speaks for its own services only. */
export function hearAsCustomer(bus: Bus, needs: CustomerNeeds): void {
  hearOfConnections(bus, needs)
  hearOfServices(bus, needs)
  hearOfRequests(bus)
}

function hearOfConnections(bus: Bus, needs: CustomerNeeds): void {
  bus.onTell(connectionOpenedTell, async (tx, { from, body }) => {
    const service = readService(body, from)
    const accountId = readId<UserId>(body.customer_id)
    const connectionId = readId<ConnectionId>(body.connection_id)
    const opened = await settle(needs, tx, { accountId, id: connectionId }, readInstant(body.connected_at), service)
    if (opened === null) await answerUnknown(needs, tx, service, { accountId, connectionId })
  })
  bus.onTell(connectionEndedTell, async (tx, { from, body }) => {
    const name = { accountId: readId<UserId>(body.customer_id), id: readId<ConnectionId>(body.connection_id) }
    await hearEnded(needs, tx, name, readService(body, from))
  })
}

function hearOfServices(bus: Bus, { clock }: CustomerNeeds): void {
  bus.onTell(serviceFactsTell, (tx, { from, body }) => hearFacts(tx, readService(body, from), body, clock.now()))
  bus.onTell(serviceEndedTell, (tx, { from, body }) => hearServiceEnded(tx, readService(body, from)))
}

function hearOfRequests(bus: Bus): void {
  bus.onTell(connectRequestedTell, async (tx, { from, body }) => {
    await hearRequested(tx, {
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
    await deleteRequest(tx, readId<UserId>(body.customer_id), readId(body.request_id), from)
  })
}

function nameService({ companyId, serviceId }: Pick<ServiceAddress, 'companyId' | 'serviceId'>) {
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
  if (at === null) throw new Error('a message has a time that is none')
  return at
}
