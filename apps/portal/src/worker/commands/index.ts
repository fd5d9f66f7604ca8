import { sessionCommands } from '@sealpost/session/worker'
import * as runs from './runs.ts'
import * as serviceKey from './service-key.ts'
import * as services from './services.ts'

/** Everything that a page can ask of the worker. */
export const commands = { ...sessionCommands, ...services, ...serviceKey, ...runs }
