import { raiseIncarnation } from '@sealpost/bus'
import { openDatabase } from '@sealpost/postgres'
import { runCommand, systemClock } from '@sealpost/process'
import { frontDoorSettings } from '../settings.ts'

/** `node apps/front-door/src/commands/restored.ts`: to be run once after a backup was restored, before the front door starts. */
const { DIRECTORY_DATABASE_URL } = frontDoorSettings
await runCommand({ DIRECTORY_DATABASE_URL }, async (settings) => {
  const url = settings.DIRECTORY_DATABASE_URL.reveal()
  const database = openDatabase({ url, applicationName: 'sealpost-restored' })
  try {
    const incarnation = await raiseIncarnation(database, systemClock)
    return `the directory is now incarnation ${incarnation}; start the front door, and it will compare cursors with every region`
  } finally {
    await database.close()
  }
})
