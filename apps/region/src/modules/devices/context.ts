import type { PushSender } from '@sealpost/push'
import type { Platform } from '../../platform/module.ts'
import type { LoginContext } from '../login/index.ts'
import type { Waker } from './operations/wake.ts'

export interface DevicesContext extends Platform {
  readonly login: LoginContext
  readonly waker: Waker
  /** Null while the region has no VAPID keys. */
  readonly push: PushSender | null
}
