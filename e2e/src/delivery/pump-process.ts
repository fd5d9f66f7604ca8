import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ServiceClient } from '@sealpost/sdk'
import { fileStore } from '@sealpost/sdk/file-store'

/** A consumer as anybody would write it, made to be killed: every change that it handles is a line of a file. */
const { FRONT_DOOR = '', CLIENT_ID = '', CLIENT_SECRET = '', STORE = '', HANDLED = '', FOLLOW = '' } = process.env

const client = new ServiceClient({ frontDoorUrl: FRONT_DOOR, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })
await client.whoami()
console.log('ready')
const pump = client.changes.pump({
  store: fileStore(STORE),
  follow: FOLLOW === '1',
  pollEveryMs: 20,
  limit: 7,
  async handle({ id }) {
    appendFileSync(HANDLED, `${id}\n`)
    // Time to be killed between the act and its record.
    await pause(1)
  },
  onPossibleLoss: () => {
    throw new Error('a page was asked for too long ago')
  },
})
console.log(JSON.stringify(await pump.run()))
