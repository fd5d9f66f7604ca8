import { openDatabase } from '@sealpost/postgres'
import { systemClock, systemIds } from '@sealpost/process'
import { quietTelemetry } from '@sealpost/telemetry'
import { openJobs } from '../jobs.ts'
import { crashing } from './crashing-kind.ts'

/** `node crashing-worker.ts <database URL>`: takes one step of a job, says so and then hangs until it is killed. */
const [url = ''] = process.argv.slice(2)
const jobs = openJobs({
  database: openDatabase({ url, poolSize: 4 }),
  clock: systemClock,
  ids: systemIds(),
  telemetry: quietTelemetry(),
})
jobs.handle(crashing, {
  async prepare({ cursor }) {
    if (cursor === null) return
    process.stdout.write('holding\n')
    await new Promise(() => {})
  },
  step: async () => ({ next: 'more', cursor: 1, done: 1 }),
})
await jobs.start({ databaseUrl: url })
setInterval(() => {}, 1000)
