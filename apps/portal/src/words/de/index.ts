import type { Words } from '../en/index.ts'
import { api } from './api.ts'
import { audit } from './audit.ts'
import { delegates } from './delegates.ts'
import { home } from './home.ts'
import { newService } from './new-service.ts'
import { rows } from './rows.ts'
import { runs } from './runs.ts'
import { serviceKey } from './service-key.ts'
import { service } from './service.ts'
import { services } from './services.ts'
import { settings } from './settings.ts'
import { refusals, shell } from './shell.ts'
import { start } from './start.ts'

export const words: Words = {
  shell,
  refusals,
  start,
  home,
  audit,
  delegates,
  services,
  service,
  newService,
  rows,
  api,
  serviceKey,
  runs,
  settings,
}
