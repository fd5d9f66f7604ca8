import { joinMigrations } from '@sealpost/postgres'
import type { Limiter, RedisConnection } from '@sealpost/redis'
import type { Module, Platform } from '../../platform/module.ts'
import type { LoginContext } from '../login/index.ts'
import { customerMessages, hearAsCustomer } from './bus/customer.ts'
import { answerAsService, serviceMessages } from './bus/service.ts'
import {
  bindCustomerRoutes,
  type CustomerContext,
  customerSideMigrations,
  tidyCards,
  type TwofaHooks,
} from './customer-side/index.ts'
import {
  bindServiceRoutes,
  openLiveChallenges,
  type ServiceContext,
  serviceSideMigrations,
  tidyChallenges,
} from './service-side/index.ts'

export const twofaMigrations = joinMigrations(serviceSideMigrations, customerSideMigrations)

export interface TwofaContext {
  readonly service: ServiceContext
  readonly customer: CustomerContext
}

export interface TwofaUses {
  readonly login: LoginContext
  readonly shared: SharedState
  readonly hooks: TwofaHooks
}

/** Redis and the limits in it; null where no calls and asks are answered. */
export interface SharedState {
  readonly redis: RedisConnection | null
  readonly limiter: Pick<Limiter, 'take'>
}

export function openTwofa(
  platform: Platform,
  { login, shared: { redis, limiter }, hooks }: TwofaUses,
): TwofaContext & Module {
  const service: ServiceContext = {
    ...platform,
    messages: serviceMessages(platform.bus),
    live: openLiveChallenges(redis, platform.clock),
    limiter,
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
    name: 'twofa',
    routes(bind) {
      bindServiceRoutes(bind, service)
      bindCustomerRoutes(bind, customer)
    },
    onBus(bus) {
      answerAsService(bus, service)
      hearAsCustomer(bus, customer)
    },
    chores: [
      { what: 'challenges of services', run: () => tidyChallenges(service) },
      { what: 'cards of challenges', run: () => tidyCards(customer) },
    ],
  }
}
