import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '@sealpost/process'
import { regionSettings } from '../../settings.ts'
import { withRegion } from '../open-region.ts'
import { diagnose } from './index.ts'

/**
 * `node apps/region/src/commands/doctor/main.ts`: why messages between this region and the others wait, which jobs are
 * dead, which events miss their schema, which standbys are waited for, whether a proxy is missing in the settings, and
 * what to do; `… main.ts jobs`: all queues of jobs; `… main.ts objects`: whether the object store has what the database
 * refers to; `… main.ts event <id>`: a kept event; `… main.ts webhook <id>`: the deliveries of a webhook.
 */
await runCommand(regionSettings, (settings) =>
  withRegion(settings, (region) => diagnose(region, process.argv.slice(2), async (ms) => pause(ms))),
)
