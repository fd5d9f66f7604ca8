import { createInterface } from 'node:readline'
import { memoryPins, ServiceClient } from '@sealpost/sdk'

const { FRONT_DOOR: frontDoorUrl = '', CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '' } = process.env
const client = new ServiceClient({ frontDoorUrl, clientId, clientSecret, pins: memoryPins() })

for await (const _ of createInterface({ input: process.stdin })) {
  let synced = 0
  for await (const { values } of client.connections.list()) if (Object.keys(values).length > 0) synced += 1
  process.stdout.write(`${synced} ${Math.round(process.resourceUsage().maxRSS / 1024)}\n`)
}
