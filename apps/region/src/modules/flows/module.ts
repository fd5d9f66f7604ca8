import { joinMigrations } from '@sealpost/postgres'
import type { Module, Platform } from '../../platform/module.ts'
import type { ServicesContext } from '../services/index.ts'
import { bindCustomerRoutes, type CustomerContext, customerSideMigrations } from './customer-side/index.ts'
import { bindServiceSideRoutes, type ServiceSideContext, serviceSideMigrations } from './service-side/index.ts'

export const flowsMigrations = joinMigrations(serviceSideMigrations, customerSideMigrations)

export interface FlowsContext {
  readonly service: ServiceSideContext
  readonly customer: CustomerContext
}

export function openFlows(platform: Platform, uses: { readonly services: ServicesContext }): FlowsContext & Module {
  const service: ServiceSideContext = { ...platform, services: uses.services }
  const customer: CustomerContext = { ...platform }
  return {
    service,
    customer,
    name: 'flows',
    routes(bind) {
      bindServiceSideRoutes(bind, service)
      bindCustomerRoutes(bind, customer)
    },
  }
}
