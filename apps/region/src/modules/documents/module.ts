import { joinMigrations } from '@sealpost/postgres'
import type { Module, Platform } from '../../platform/module.ts'
import type { LoginContext } from '../login/index.ts'
import type { ServicesContext } from '../services/index.ts'
import { customerMessages, hearAsCustomer } from './bus/customer.ts'
import { answerAsService, serviceMessages } from './bus/service.ts'
import {
  bindCustomerRoutes,
  type CustomerContext,
  type CustomerHooks,
  customerSideMigrations,
  tidyProofs,
} from './customer-side/index.ts'
import {
  bindServiceSideRoutes,
  endDueDocuments,
  type RunHooks,
  type Sealer,
  type ServiceSideContext,
  serviceSideMigrations,
  tidyDocuments,
} from './service-side/index.ts'

export const documentsMigrations = joinMigrations(serviceSideMigrations, customerSideMigrations)

export interface DocumentsContext {
  readonly service: ServiceSideContext
  readonly customer: CustomerContext
}

export interface DocumentsHooks extends CustomerHooks {
  readonly runs: RunHooks
}

export interface DocumentsUses {
  readonly login: LoginContext
  readonly services: ServicesContext
  readonly sealer: Sealer | null
  readonly hooks: DocumentsHooks
}

export function openDocuments(
  platform: Platform,
  { login, services, sealer, hooks }: DocumentsUses,
): DocumentsContext & Module {
  const service: ServiceSideContext = {
    ...platform,
    services,
    messages: serviceMessages(platform.bus),
    runs: hooks.runs,
    sealer,
  }
  const customer: CustomerContext = {
    ...platform,
    login,
    messages: customerMessages(platform.bus, platform.ids),
    hooks,
  }
  return {
    service,
    customer,
    name: 'documents',
    routes(bind) {
      bindServiceSideRoutes(bind, service)
      bindCustomerRoutes(bind, customer)
    },
    onBus(bus) {
      answerAsService(bus, service)
      hearAsCustomer(bus, customer)
    },
    chores: [
      { what: 'documents without their file', run: () => tidyDocuments(service) },
      { what: 'documents whose cancellation takes effect', run: () => endDueDocuments(service) },
      { what: 'codes to sign with', run: () => tidyProofs(customer) },
    ],
  }
}
