import { joinMigrations } from '@sealpost/postgres'
import type { Module, Platform } from '../../platform/module.ts'
import type { ConnectionsContext } from '../connections/index.ts'
import type { DocumentsContext } from '../documents/index.ts'
import type { TemplateReader } from '../flows/index.ts'
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
import { openEvaluation } from './evaluation/open-evaluation.ts'
import { bindGenerationRoutes } from './generation/index.ts'
import {
  bindRunRoutes,
  deleteDueData,
  remindOfDeletions,
  type ServiceSideContext,
  serviceSideMigrations,
  tidyRunFiles,
} from './service-side/index.ts'
import { bindSigningRoutes } from './signing/index.ts'

export const runsMigrations = joinMigrations(serviceSideMigrations, customerSideMigrations)

export interface RunsContext {
  readonly service: ServiceSideContext
  readonly customer: CustomerContext
}

export interface RunsUses {
  readonly services: ServicesContext
  readonly connections: ConnectionsContext
  readonly mail: MailContext
  readonly reader: TemplateReader
  readonly documents: DocumentsContext
  readonly hooks: RunsHooks
}

export type RunsHooks = CustomerHooks

export function openRuns(platform: Platform, uses: RunsUses): RunsContext & Module {
  const { services, connections, documents, mail, reader, hooks } = uses
  const service: ServiceSideContext = {
    ...platform,
    services,
    reader,
    evaluate: openEvaluation(platform),
    mail,
    documents,
    messages: runMessages(platform.bus),
  }
  const customer: CustomerContext = {
    ...platform,
    connections: connections.customer,
    messages: customerMessages(platform.bus, platform.ids),
    hooks,
  }
  return {
    service,
    customer,
    name: 'runs',
    routes(bind) {
      bindRunRoutes(bind, service)
      bindGenerationRoutes(bind, service)
      bindSigningRoutes(bind, service)
      bindCustomerRoutes(bind, customer)
    },
    onBus(bus) {
      answerAsService(bus, service)
      hearAsCustomer(bus, customer)
    },
    chores: [
      { what: 'mails about the deletion of runs', run: () => remindOfDeletions(service) },
      { what: 'data of runs whose company has no flows any more', run: () => deleteDueData(service) },
      { what: 'files of runs', run: () => tidyRunFiles(service) },
      { what: "customers' files of runs", run: () => tidyCustomerFiles(customer) },
    ],
  }
}
