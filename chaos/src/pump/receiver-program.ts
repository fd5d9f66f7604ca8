import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { markStart, recordHandled } from './handled.ts'
import { importSdk } from './sdk-bundle.ts'

/** A backend that receives webhooks with the SDK's receiver and a store of files. It may be killed at any time. */
const { SECRET = '', PORT = '', STORE = '', HANDLED = '' } = process.env
const { nodeHandler, openReceiver, seenInStore } = await importSdk('webhooks')
const { fileStore } = await importSdk('file-store')

const seen = await seenInStore(fileStore(STORE))
const receiver = await openReceiver({
  secrets: [SECRET],
  seen,
  async handle(_event, { eventId }) {
    recordHandled(HANDLED, eventId ?? '')
    // Leaves time for a kill between the effect and its record.
    await pause(1)
  },
  onError: (error) => console.log(`error: ${String(error)}`),
})
markStart(HANDLED)
const handle = nodeHandler(receiver)
const server = createServer((request, response) => {
  response.once('finish', () => {
    if (response.statusCode !== 200) console.log(`answered ${response.statusCode}`)
  })
  void handle(request, response)
})
process.once('SIGTERM', () => void seen.close().then(() => process.exit(0)))
server.listen(Number(PORT), '127.0.0.1', () => console.log('ready'))
