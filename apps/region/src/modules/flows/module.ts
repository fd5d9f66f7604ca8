import type { Module, Platform } from '../../platform/module.ts'
import type { ServicesContext } from '../services/index.ts'
import { openChecks } from './checks/check-definition.ts'
import type { FlowsContext, TemplateReader } from './context.ts'
import { bindFlowRoutes } from './routes/index.ts'

export interface FlowsUses {
  readonly services: ServicesContext
  readonly reader: TemplateReader
}

export function openFlows(platform: Platform, { services, reader }: FlowsUses): FlowsContext & Module {
  const context: FlowsContext = { ...platform, services, reader, check: openChecks(platform) }
  return { ...context, name: 'flows', routes: (bind) => bindFlowRoutes(bind, context) }
}
