import type { Module, Platform } from '../../platform/module.ts'
import { answerCardAsks } from './bus.ts'
import type { ServicesContext, ServicesHooks } from './context.ts'
import { handleServiceJobs } from './operations/jobs.ts'
import { tidyLogs } from './operations/logs.ts'
import { bindServiceRoutes } from './routes/index.ts'

const LOGS_AT_ONCE = 1000

export function openServices(platform: Platform, hooks: ServicesHooks): ServicesContext & Module {
  const services: ServicesContext = { ...platform, hooks }
  return {
    ...services,
    name: 'services',
    routes: (bind) => bindServiceRoutes(bind, services),
    onBus: () => answerCardAsks(platform),
    chores: [{ what: 'logs of services', run: () => tidyLogs(services, LOGS_AT_ONCE) }],
    onJobs: (jobs) => handleServiceJobs(services, jobs),
  }
}
