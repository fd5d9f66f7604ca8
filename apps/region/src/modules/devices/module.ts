import { systemScheduler } from '@sealpost/process'
import { openPush, pushAdvice } from '@sealpost/push'
import type { Module, Platform } from '../../platform/module.ts'
import type { LoginContext } from '../login/index.ts'
import type { DevicesContext } from './context.ts'
import { tidyHints } from './operations/tidy.ts'
import { createWaker } from './operations/wake.ts'
import { handlePushes } from './push/index.ts'
import { bindDeviceRoutes } from './routes.ts'
import { openHub } from './streams/index.ts'

export function openDevices(platform: Platform, { login }: { readonly login: LoginContext }): DevicesContext & Module {
  const { access, settings, clock, log, webhookEgress: egress } = platform
  const processId = platform.ids.uuid()
  const waker = createWaker(platform.database, systemScheduler, processId)
  const context: DevicesContext = { ...platform, login, waker, push: openPush(settings, { egress, clock }) }
  const advice = pushAdvice(settings)
  if (advice !== null && access !== null) log.info({}, advice)
  const hub = access === null ? null : openHub({ ...platform, access, processId })
  waker.listen((accountId, hints) => hub?.wake(accountId, hints))
  return {
    ...context,
    name: 'devices',
    routes(bind) {
      if (hub !== null) bindDeviceRoutes(bind, context, hub)
    },
    onJobs: (jobs) => handlePushes(context, jobs),
    chores: [{ what: 'hints to devices', run: () => tidyHints(context) }],
    drain: () => hub?.drain(),
    close: async () => hub?.close(),
  }
}
