import type { Bus } from '@sealpost/bus'
import type { Egress } from '@sealpost/egress'
import type { FileCaps } from '@sealpost/field-types'
import type { Clock, Ids, Random, RegionCode } from '@sealpost/kernel'
import type { Objects } from '@sealpost/objects'
import { type Database, gatherReads } from '@sealpost/postgres'
import type { Log } from '@sealpost/telemetry'
import type { BindRoute } from '../../bind.ts'
import type { AccountDirectory } from '../account/index.ts'
import { dropFeed, type FeedResolvers } from '../feed/index.ts'
import type { OpenNeeds, ServiceHooks, ServiceJobSteps } from '../services/index.ts'
import { customerWire, hearAsCustomer } from './bus/customer.ts'
import { answerAsService, serviceWire } from './bus/service.ts'
import { bindCustomerRoutes, type CustomerNeeds, listCompanyKeys } from './customer-side/index.ts'
import {
  bindServiceSideRoutes,
  countConnections,
  dropRows,
  endConnections,
  endRequests,
  findRecordRows,
  hasOpenContracts,
  type ServiceSideNeeds,
  slotResolver,
  tellFactsChanged,
  tellServiceDeleted,
} from './service-side/index.ts'

/** What both halves stand on. */
export interface ConnectionsNeeds {
  readonly region: RegionCode
  readonly database: Database
  readonly bus: Bus
  readonly objects: Objects
  readonly egress: Egress
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
  readonly directory: Pick<AccountDirectory, 'findByShareCode'>
  readonly caps: FileCaps
  readonly shareOnceDays: number
  /** `x-platform-content-sha256`, or as the installation calls it. */
  readonly digestHeader: string
}

export interface Connections {
  readonly service: ServiceSideNeeds
  readonly customer: CustomerNeeds
}

/** Builds both halves and lets them answer on the bus; routes, hooks and chores take it from here. */
export function openConnections(needs: ConnectionsNeeds): Connections {
  const { bus, directory, ids } = needs
  const service: ServiceSideNeeds = {
    ...needs,
    wire: serviceWire(bus),
    findByShareCode: (code) => directory.findByShareCode(code),
    listCompanyKeys,
    rows: new Map(),
    codes: new Map(),
    findRecord: gatherReads(needs.database, findRecordRows),
  }
  const customer: CustomerNeeds = { ...needs, wire: customerWire(bus, ids) }
  answerAsService(bus, service)
  hearAsCustomer(bus, customer)
  return { service, customer }
}

export function bindConnectionRoutes(
  bind: BindRoute,
  { service, customer, hasSecondFactor }: Connections & Pick<OpenNeeds, 'hasSecondFactor'>,
): void {
  bindServiceSideRoutes(bind, { ...service, hasSecondFactor })
  bindCustomerRoutes(bind, customer)
}

/** What connections do when a service changes or ends. */
export function connectionHooks({ service }: Connections): {
  readonly hooks: ServiceHooks
  readonly steps: ServiceJobSteps
} {
  return {
    hooks: {
      onFactsChanged: [(tx, name) => tellFactsChanged(service, tx, name)],
      onServiceDeleted: [(tx, name) => tellServiceDeleted(service, tx, name)],
      onServiceGone: [(tx, name) => dropFeed(tx, service, { kind: 'service', ...name })],
      hasOpenContracts,
      countConnections,
    },
    steps: {
      dropRows: (tx, name, rows, after, limit) => dropRows(service, tx, name, rows, after, limit),
      endConnections: (tx, name, limit) => endConnections(service, tx, name, limit),
      endRequests: (tx, name, limit) => endRequests(service, tx, name, limit),
    },
  }
}

/** The events that tell what a slot holds when they are delivered. */
export const connectionResolvers: FeedResolvers = {
  field_updated: slotResolver,
  field_deleted: slotResolver,
  consent_accepted: slotResolver,
}
