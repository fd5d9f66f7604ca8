import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileStore } from '@sealpost/sdk/file-store'
import { Crm } from './crm.js'
import { Service } from './service.js'

const { DEMO = '.local/demo', FOLDER = '.local/crm-feed' } = process.env
mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
const crm = new Crm(join(FOLDER, 'crm.db'))
const service = await Service.open(DEMO, join(FOLDER, 'pins'))

if (!crm.isCopied) await service.copyTo(crm)
console.log('copied')

const end = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end.abort())
const pump = service.client.changes.pump({
  store: fileStore(join(FOLDER, 'changes')),
  follow: true,
  signal: end.signal,
  async handle(change) {
    const edit = await service.editOf(change)
    const isNew = crm.applyOnce({ id: change.id, kind: change.event }, edit)
    console.log(isNew ? change.event : `${change.event} came twice`)
  },
  onPossibleLoss: () => service.copyTo(crm),
  onTrouble: ({ during, error }) => console.error(`${during}:`, error),
  onDeadLetter: ({ change, error }) => console.error(`given up ${change.event} ${change.id}: ${error.message}`),
})
await pump.run()
crm.close()
