import { batchReads, joinMigrations } from '@sealpost/postgres'
import type { Module, Platform } from '../../platform/module.ts'
import type { AccountContext } from '../account/index.ts'
import type { ServicesContext } from '../services/index.ts'
import { answerConsents } from './bus/consent.ts'
import { customerMessages, hearAsCustomer } from './bus/customer.ts'
import { answerAsService, serviceMessages } from './bus/service.ts'
import {
  bindCustomerRoutes,
  type CustomerContext,
  type CustomerHooks,
  customerMigrations,
  handleAnnouncements,
  handleFanOuts,
  listCompanyKeys,
  type SecondFactorCheck,
  tidyCustomerSide,
} from './customer-side/index.ts'
import {
  bindServiceSideRoutes,
  createCodeCache,
  createRowCache,
  findRecordRows,
  type ServiceSideContext,
  type ServiceSideHooks,
  serviceSideMigrations,
  tidyServiceSide,
} from './service-side/index.ts'

export const connectionsMigrations = joinMigrations(serviceSideMigrations, customerMigrations)

export interface ConnectionsContext {
  readonly service: ServiceSideContext
  readonly customer: CustomerContext
}

export interface ConnectionsUses {
  readonly account: AccountContext
  readonly services: ServicesContext
  readonly secondFactor: SecondFactorCheck
  readonly hooks: ConnectionsHooks
}

/** Calls to the modules above. */
export interface ConnectionsHooks {
  readonly service: ServiceSideHooks
  readonly customer: CustomerHooks
}

export function openConnections(
  platform: Platform,
  { account: { directory }, services, secondFactor, hooks }: ConnectionsUses,
): ConnectionsContext & Module {
  const service: ServiceSideContext = {
    ...platform,
    services,
    messages: serviceMessages(platform.bus),
    hooks: hooks.service,
    directory,
    listCompanyKeys,
    rows: createRowCache(),
    codes: createCodeCache(platform.clock),
    findRecord: batchReads(platform.database, findRecordRows),
  }
  const customer: CustomerContext = {
    ...platform,
    secondFactor,
    directory,
    messages: customerMessages(platform.bus, platform.ids),
    hooks: hooks.customer,
  }
  return {
    service,
    customer,
    name: 'connections',
    routes(bind) {
      bindServiceSideRoutes(bind, service)
      bindCustomerRoutes(bind, customer)
    },
    onBus(bus) {
      answerAsService(bus, service)
      hearAsCustomer(bus, customer)
      answerConsents(bus, customer)
    },
    onJobs(jobs) {
      handleFanOuts(customer, jobs)
      handleAnnouncements(customer, jobs)
    },
    chores: [
      { what: 'connections of customers', run: () => tidyCustomerSide(customer) },
      { what: 'connections of services', run: () => tidyServiceSide(service) },
    ],
  }
}
