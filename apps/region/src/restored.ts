import { raiseIncarnation } from '@sealpost/bus'
import { openDatabase } from '@sealpost/postgres'
import { runCommand, systemClock } from '@sealpost/process'
import { regionSettings } from './settings.ts'

/** `node apps/region/src/restored.ts`: to be run once after a backup was restored, before the region starts. */
await runCommand({ DATABASE_URL: regionSettings.DATABASE_URL }, async ({ DATABASE_URL }) => {
  const database = openDatabase({ url: DATABASE_URL.reveal(), applicationName: 'sealpost-restored' })
  try {
    const incarnation = await raiseIncarnation(database, systemClock)
    return `this region is now incarnation ${incarnation}; start it, and it will compare cursors with every other party`
  } finally {
    await database.close()
  }
})
