import { joinMigrations } from '@sealpost/postgres'
import type { Module, Platform } from '../../platform/module.ts'
import type { ServicesContext } from '../services/index.ts'
import { bindCustomerRoutes, type CustomerContext, customerSideMigrations } from './customer-side/index.ts'
import {
  bindServiceSideRoutes,
  type ServiceSideContext,
  serviceSideMigrations,
  type TemplateReader,
} from './service-side/index.ts'

export const flowsMigrations = joinMigrations(serviceSideMigrations, customerSideMigrations)

export interface FlowsContext {
  readonly service: ServiceSideContext
  readonly customer: CustomerContext
}

export interface FlowsUses {
  readonly services: ServicesContext
  readonly reader: TemplateReader
}

export function openFlows(platform: Platform, { services, reader }: FlowsUses): FlowsContext & Module {
  const service: ServiceSideContext = { ...platform, services, reader }
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
