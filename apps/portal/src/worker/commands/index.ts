import { sessionCommands } from '@sealpost/session/worker'
import * as acting from './acting.ts'
import * as attention from './attention.ts'
import * as audit from './audit.ts'
import * as dataClient from './data-client.ts'
import * as delegates from './delegates.ts'
import * as handedKey from './handed-key.ts'
import * as newService from './new-service.ts'
import * as requestRows from './request-rows.ts'
import * as runs from './runs.ts'
import * as serviceKey from './service-key.ts'
import * as serviceSettings from './service-settings.ts'
import * as services from './services.ts'

/** Everything that a page can ask of the worker. */
export const commands = {
  ...sessionCommands,
  ...services,
  ...newService,
  ...dataClient,
  ...requestRows,
  ...serviceKey,
  ...serviceSettings,
  ...acting,
  ...attention,
  ...audit,
  ...delegates,
  ...handedKey,
  ...runs,
}
