import type { Words } from '../en/index.ts'
import { runs } from './runs.ts'
import { serviceKey } from './service-key.ts'
import { services } from './services.ts'
import { settings } from './settings.ts'
import { refusals, shell } from './shell.ts'
import { start } from './start.ts'

export const words: Words = { shell, refusals, start, services, serviceKey, runs, settings }
