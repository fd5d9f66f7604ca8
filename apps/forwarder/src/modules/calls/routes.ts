import { bindRoute, type HttpServer } from '@sealpost/http'
import { callPlugin, refreshPlugin } from '@sealpost/protocol'
import { gates } from '../../platform/gates.ts'
import type { Platform } from '../../platform/module.ts'
import { openRegistry } from './bus.ts'
import type { CallsContext, CallsUses } from './context.ts'
import { carryQuestion } from './operations/carry-question.ts'
import { refreshDescription } from './operations/refresh-description.ts'

export function bindCalls(server: HttpServer, platform: Platform, uses: CallsUses): void {
  const context: CallsContext = { ...platform, ...uses, registry: openRegistry(platform.asker) }
  bindRoute(server, gates, {
    operation: callPlugin,
    handle: async ({ body }) => ({ reply: await carryQuestion(context, body) }),
  })
  bindRoute(server, gates, {
    operation: refreshPlugin,
    handle: async ({ body }) => ({ plugin: await refreshDescription(context, body) }),
  })
}
