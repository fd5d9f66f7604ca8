import { joinMigrations } from '@sealpost/postgres'
import type { Module, Platform } from '../../platform/module.ts'
import type { DocumentsContext } from '../documents/index.ts'
import type { ServicesContext } from '../services/index.ts'
import { customerMessages, hearAsCustomer } from './bus/customer.ts'
import { answerAsService, runMessages } from './bus/service.ts'
import {
  bindCustomerRoutes,
  type CustomerContext,
  customerSideMigrations,
  tidyCustomerFiles,
} from './customer-side/index.ts'
import { bindGenerationRoutes } from './service-side/generation/index.ts'
import {
  bindServiceSideRoutes,
  type ServiceSideContext,
  serviceSideMigrations,
  type TemplateReader,
} from './service-side/index.ts'
import {
  bindRunRoutes,
  deleteDueData,
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
  readonly reader: TemplateReader
  readonly documents: DocumentsContext
}

export function openFlows(platform: Platform, { services, reader, documents }: FlowsUses): FlowsContext & Module {
  const service: ServiceSideContext = { ...platform, services, reader }
  const runs: RunsContext = { ...service, messages: runMessages(platform.bus), documents }
  const customer: CustomerContext = { ...platform, messages: customerMessages(platform.bus, platform.ids) }
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
      { what: 'data of runs whose company has no flows any more', run: () => deleteDueData(runs) },
      { what: 'files of runs', run: () => tidyRunFiles(runs) },
      { what: "customers' files of runs", run: () => tidyCustomerFiles(customer) },
    ],
  }
}
