import { joinMigrations } from '@sealpost/postgres'
import type { Module, Platform } from '../../platform/module.ts'
import { customerMessages, hearAsCustomer } from './bus/customer.ts'
import { hearAsService, serviceMessages } from './bus/service.ts'
import {
  bindCustomerRoutes,
  type CustomerContext,
  type CustomerHooks,
  customerSideMigrations,
  tidyThreads as tidyCustomerThreads,
} from './customer-side/index.ts'
import {
  bindServiceSideRoutes,
  type ServiceSideContext,
  serviceSideMigrations,
  tidyThreads as tidyServiceThreads,
} from './service-side/index.ts'

export const messagesMigrations = joinMigrations(serviceSideMigrations, customerSideMigrations)

export interface MessagesContext {
  readonly service: ServiceSideContext
  readonly customer: CustomerContext
}

export type MessagesHooks = CustomerHooks

export function openMessages(platform: Platform, hooks: MessagesHooks): MessagesContext & Module {
  const service: ServiceSideContext = { ...platform, messages: serviceMessages(platform.bus) }
  const customer: CustomerContext = { ...platform, messages: customerMessages(platform.bus), hooks }
  return {
    service,
    customer,
    name: 'messages',
    routes(bind) {
      bindServiceSideRoutes(bind, service)
      bindCustomerRoutes(bind, customer)
    },
    onBus(bus) {
      hearAsService(bus, service)
      hearAsCustomer(bus, customer)
    },
    chores: [
      { what: 'messages of ended connections', run: () => tidyServiceThreads(service) },
      { what: "customers' messages of ended connections", run: () => tidyCustomerThreads(customer) },
    ],
  }
}
