import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { nodeHandler, openReceiver } from '@sealpost/sdk/webhooks'
import { Crm } from '../crm-sync-feed/crm.js'
import { Service } from '../crm-sync-feed/service.js'
import { OwnWebhook } from './own-webhook.js'

const { DEMO = '.local/demo', FOLDER = '.local/crm-webhooks', PORT = '3003' } = process.env
mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
const crm = new Crm(join(FOLDER, 'crm.db'))
const service = await Service.open(DEMO, join(FOLDER, 'pins'))
const webhook = await OwnWebhook.open(DEMO, join(FOLDER, 'webhook.json'), `http://127.0.0.1:${PORT}/`)

/** One after the other, also when the platform repeats an event while the first attempt still runs. */
let last = Promise.resolve()
function inOrder(work) {
  last = last.catch(() => {}).then(work)
  return last
}

const receiver = await openReceiver({
  secrets: [webhook.secret],
  handle: (event, { eventId, contentKey }) =>
    inOrder(async () => {
      const edit = await service.editOf(event)
      const isNew = crm.applyOnce({ id: eventId ?? contentKey, kind: event.event }, edit)
      console.log(isNew ? event.event : `${event.event} came twice`)
    }),
})
const handler = nodeHandler(receiver)
const server = createServer((request, response) => void handler(request, response))
server.listen(Number(PORT), '127.0.0.1')

// The webhook exists already: events during the copy wait here, or are sent again.
if (!crm.isCopied) await inOrder(() => service.copyTo(crm))
console.log('copied')
await webhook.catchUp()

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => server.close(() => crm.close()))
}
