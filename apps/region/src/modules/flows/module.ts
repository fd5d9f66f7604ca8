import { joinMigrations } from '@sealpost/postgres'
import type { Module, Platform } from '../../platform/module.ts'
import type { ConnectionsContext } from '../connections/index.ts'
import type { DocumentsContext } from '../documents/index.ts'
import type { MailContext } from '../mail/index.ts'
import type { ServicesContext } from '../services/index.ts'
import { customerMessages, hearAsCustomer } from './bus/customer.ts'
import { answerAsService, runMessages } from './bus/service.ts'
import {
  bindCustomerRoutes,
  type CustomerContext,
  type CustomerHooks,
  customerSideMigrations,
  tidyCustomerFiles,
} from './customer-side/index.ts'
import { bindGenerationRoutes } from './service-side/generation/index.ts'
import {
  bindServiceSideRoutes,
  openChecks,
  type ServiceSideContext,
  serviceSideMigrations,
  type TemplateReader,
} from './service-side/index.ts'
import {
  bindRunRoutes,
  deleteDueData,
  remindOfDeletions,
  type RunsContext,
  runsMigrations,
  tidyRunFiles,
} from './service-side/runs/index.ts'
import { bindSigningRoutes } from './service-side/signing/index.ts'

export const flowsMigrations = joinMigrations(serviceSideMigrations, runsMigrations, customerSideMigrations)

export interface FlowsContext {
  readonly service: ServiceSideContext
  readonly runs: RunsContext
  readonly customer: CustomerContext
}

export interface FlowsUses {
  readonly services: ServicesContext
  readonly connections: ConnectionsContext
  readonly mail: MailContext
  readonly reader: TemplateReader
  readonly documents: DocumentsContext
  readonly hooks: FlowsHooks
}

export type FlowsHooks = CustomerHooks

export function openFlows(platform: Platform, uses: FlowsUses): FlowsContext & Module {
  const { services, connections, documents, mail, reader, hooks } = uses
  const service: ServiceSideContext = { ...platform, services, reader, check: openChecks(platform) }
  const runs: RunsContext = { ...service, mail, documents, messages: runMessages(platform.bus) }
  const customer: CustomerContext = {
    ...platform,
    connections: connections.customer,
    messages: customerMessages(platform.bus, platform.ids),
    hooks,
  }
  return {
    service,
    runs,
    customer,
    name: 'flows',
    routes(bind) {
      bindServiceSideRoutes(bind, service)
      bindRunRoutes(bind, runs)
      bindGenerationRoutes(bind, runs)
      bindSigningRoutes(bind, runs)
      bindCustomerRoutes(bind, customer)
    },
    onBus(bus) {
      answerAsService(bus, runs)
      hearAsCustomer(bus, customer)
    },
    chores: [
      { what: 'mails about the deletion of runs', run: () => remindOfDeletions(runs) },
      { what: 'data of runs whose company has no flows any more', run: () => deleteDueData(runs) },
      { what: 'files of runs', run: () => tidyRunFiles(runs) },
      { what: "customers' files of runs", run: () => tidyCustomerFiles(customer) },
    ],
  }
}
