import type { HttpServer } from '@sealpost/http'
import { openBuiltins } from './modules/builtins/index.ts'
import { bindCalls } from './modules/calls/index.ts'
import { openPasses } from './modules/passes/index.ts'
import type { Platform } from './platform/module.ts'

export interface Forwarding {
  bind(server: HttpServer): void
  close(): Promise<void>
}

/** The modules, each after those that it calls. */
export async function openForwarding(platform: Platform): Promise<Forwarding> {
  const builtins = await openBuiltins(platform.settings)
  const passes = openPasses(platform)
  return {
    bind: (server) => bindCalls(server, platform, { passes, builtins }),
    close: () => passes.close(),
  }
}
